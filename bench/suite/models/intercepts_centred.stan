// Measurements in 86 counties, most of them with a handful: intercepts that vary little, centred.
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
  vector[J] a;
}
model {
  mu ~ normal(0, 5);
  beta ~ normal(0, 5);
  tau ~ normal(0, 1);
  sigma ~ normal(0, 2);
  a ~ normal(mu, tau);
  y ~ normal(a[county] + beta * x, sigma);
}
