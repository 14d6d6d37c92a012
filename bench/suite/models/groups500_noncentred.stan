// Few events in 500 groups: log rates from standardised deviations, exposures known.
data {
  int<lower=1> J;
  vector<lower=0>[J] exposure;
  array[J] int<lower=0> events;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] z;
}
model {
  mu ~ normal(0, 3);
  tau ~ normal(0, 1);
  z ~ normal(0, 1);
  events ~ poisson_log(log(exposure) + mu + tau * z);
}
