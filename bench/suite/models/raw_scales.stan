// Linear regression on covariates in grams, years, dollars and shares, with flat priors: sds of the
// coefficients from 1e-5 to 1e3.
data {
  int<lower=1> N;
  vector[N] grams;
  vector[N] year;
  vector[N] dollars;
  vector[N] share;
  vector[N] y;
}
parameters {
  real intercept;
  real b_grams;
  real b_year;
  real b_dollars;
  real b_share;
  real<lower=0> sigma;
}
model {
  y ~ normal(intercept + b_grams * grams + b_year * year + b_dollars * dollars + b_share * share, sigma);
}
