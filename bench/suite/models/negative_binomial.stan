// Overdispersed counts: a negative binomial regression with an exposure.
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  vector[N] log_exposure;
  array[N] int<lower=0> count;
}
parameters {
  real alpha;
  vector[P] b;
  real<lower=0> inv_dispersion;
}
model {
  alpha ~ normal(0, 5);
  b ~ normal(0, 2);
  inv_dispersion ~ normal(0, 2);
  count ~ neg_binomial_2_log(log_exposure + alpha + X * b, 1 / inv_dispersion);
}
