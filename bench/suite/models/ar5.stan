// An autoregression of order five with an intercept.
data {
  int<lower=6> T;
  vector[T] y;
}
parameters {
  real alpha;
  vector[5] phi;
  real<lower=0> sigma;
}
model {
  vector[T - 5] mean_y = rep_vector(alpha, T - 5);
  for (k in 1:5) mean_y = mean_y + phi[k] * y[(6 - k):(T - k)];
  alpha ~ normal(0, 5);
  phi ~ normal(0, 1);
  sigma ~ normal(0, 5);
  y[6:T] ~ normal(mean_y, sigma);
}
