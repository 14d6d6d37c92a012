// Logistic regression as the built-in target has it: normal priors, the bias last.
data {
  int<lower=0> N;
  int<lower=0> D;
  matrix[N, D] x;
  array[N] int<lower=0, upper=1> y;
  real<lower=0> prior_sd;
}
parameters {
  vector[D] beta;
}
model {
  beta ~ normal(0, prior_sd);
  y ~ bernoulli_logit(x * beta);
}
