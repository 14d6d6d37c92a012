// Linear regression on covariates in grams, years, dollars and shares, with flat priors: sds of the
// coefficients from 1e-5 to 1e2.
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  vector[N] y;
}
parameters {
  real intercept;
  vector[P] b;
  real<lower=0> sigma;
}
model {
  y ~ normal(intercept + X * b, sigma);
}
