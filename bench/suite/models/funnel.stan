// Neal's funnel: the log scale of nine coordinates is itself a coordinate.
data {
  int<lower=1> n;
}
parameters {
  real v;
  vector[n] x;
}
model {
  v ~ normal(0, 3);
  x ~ normal(0, exp(v / 2));
}
