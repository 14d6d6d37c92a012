// Means of 500 groups with eight values each, centred; enough data for the centred form to suit.
data {
  int<lower=1> J;
  vector[J] mean_y;
  real<lower=0> se;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] theta;
}
model {
  mu ~ normal(0, 10);
  tau ~ normal(0, 5);
  theta ~ normal(mu, tau);
  mean_y ~ normal(theta, se);
}
