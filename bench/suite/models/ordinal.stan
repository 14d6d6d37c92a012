// Ordinal regression: five grades by a logistic latent scale with free cut points.
data {
  int<lower=1> N;
  int<lower=1> P;
  int<lower=2> K;
  matrix[N, P] X;
  array[N] int<lower=1, upper=K> grade;
}
parameters {
  vector[P] b;
  ordered[K - 1] cut;
}
model {
  vector[N] eta = X * b;
  b ~ normal(0, 2);
  cut ~ normal(0, 5);
  for (i in 1:N) grade[i] ~ ordered_logistic(eta[i], cut);
}
