// Stochastic volatility: an AR(1) log variance, from its standardised innovations. n is T + 3.
data {
  int<lower=2> T;
  vector[T] y;
}
parameters {
  real mu;
  real<lower=-1, upper=1> phi;
  real<lower=0> sigma;
  vector[T] z;
}
model {
  vector[T] h = sigma * z;
  h[1] = h[1] / sqrt(1 - square(phi));
  for (t in 2:T) h[t] = h[t] + phi * h[t - 1];
  mu ~ normal(-1, 2);
  (phi + 1) / 2 ~ beta(20, 1.5);
  sigma ~ normal(0, 0.5);
  z ~ normal(0, 1);
  y ~ normal(0, exp((mu + h) / 2));
}
