// ARMA(1, 1) with the innovations worked out from the first on.
data {
  int<lower=2> T;
  vector[T] y;
}
parameters {
  real mu;
  real<lower=-1, upper=1> phi;
  real<lower=-1, upper=1> theta;
  real<lower=0> sigma;
}
model {
  vector[T] error;
  error[1] = y[1] - mu;
  for (t in 2:T) error[t] = y[t] - mu - phi * (y[t - 1] - mu) - theta * error[t - 1];
  mu ~ normal(0, 10);
  sigma ~ normal(0, 5);
  error ~ normal(0, sigma);
}
