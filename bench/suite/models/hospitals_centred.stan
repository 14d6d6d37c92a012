// Deaths after operations in 12 hospitals, log odds centred on a common mean.
data {
  int<lower=1> J;
  array[J] int<lower=1> n;
  array[J] int<lower=0> deaths;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] logit_rate;
}
model {
  mu ~ normal(0, 5);
  tau ~ normal(0, 1);
  logit_rate ~ normal(mu, tau);
  deaths ~ binomial_logit(n, logit_rate);
}
