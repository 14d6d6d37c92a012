// intercepts_centred with standardised intercepts: the same posterior of mu, beta, tau, sigma and a.
data {
  int<lower=1> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> county;
  vector[N] x;
  vector[N] y;
}
parameters {
  real mu;
  real beta;
  real<lower=0> tau;
  real<lower=0> sigma;
  vector[J] z;
}
transformed parameters {
  vector[J] a = mu + tau * z;
}
model {
  mu ~ normal(0, 5);
  beta ~ normal(0, 5);
  tau ~ normal(0, 1);
  sigma ~ normal(0, 2);
  z ~ normal(0, 1);
  y ~ normal(a[county] + beta * x, sigma);
}
