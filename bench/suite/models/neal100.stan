// Neal's Gaussian: 100 independent coordinates with sds .01, .02, ..., 1. For Stan; ours has it built in.
transformed data {
  vector[100] scale;
  for (i in 1:100) scale[i] = 0.01 * i;
}
parameters {
  vector[100] x;
}
model {
  x ~ normal(0, scale);
}
