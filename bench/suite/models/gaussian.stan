// A Gaussian random walk in 60 steps: condition number about 5800.
data {
  int<lower=2> n;
}
parameters {
  vector[n] x;
}
model {
  x[1] ~ normal(0, 1);
  x[2:n] ~ normal(x[1:(n - 1)], 1);
}
