// Weibull survival times, a third of them censored, with three covariates.
data {
  int<lower=0> N_died;
  int<lower=0> N_censored;
  int<lower=1> P;
  matrix[N_died, P] X_died;
  matrix[N_censored, P] X_censored;
  vector<lower=0>[N_died] t_died;
  vector<lower=0>[N_censored] t_censored;
}
parameters {
  real<lower=0> shape;
  real intercept;
  vector[P] b;
}
model {
  shape ~ lognormal(0, 1);
  intercept ~ normal(0, 10);
  b ~ normal(0, 2);
  t_died ~ weibull(shape, exp(intercept + X_died * b));
  target += weibull_lccdf(t_censored | shape, exp(intercept + X_censored * b));
}
