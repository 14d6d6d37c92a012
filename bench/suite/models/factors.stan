// One hidden factor behind eight measurements, loadings positive for the first, factor scores sampled.
data {
  int<lower=1> N;
  int<lower=2> K;
  matrix[N, K] y;
}
parameters {
  vector[N] score;
  real<lower=0> first_loading;
  vector[K - 1] loading;
  vector[K] mu;
  vector<lower=0>[K] sigma;
}
model {
  score ~ normal(0, 1);
  first_loading ~ normal(0, 2);
  loading ~ normal(0, 2);
  mu ~ normal(0, 5);
  sigma ~ normal(0, 2);
  y[, 1] ~ normal(mu[1] + first_loading * score, sigma[1]);
  for (k in 2:K) y[, k] ~ normal(mu[k] + loading[k - 1] * score, sigma[k]);
}
