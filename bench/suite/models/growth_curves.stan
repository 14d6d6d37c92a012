// Weights of 29 animals over five ages: intercepts and slopes that vary together, non-centred, LKJ.
data {
  int<lower=1> J;
  int<lower=1> T;
  vector[T] age;
  matrix[J, T] weight;
}
parameters {
  vector[2] mean_line;
  vector<lower=0>[2] spread;
  cholesky_factor_corr[2] L;
  matrix[2, J] z;
  real<lower=0> sigma;
}
model {
  matrix[2, J] line = rep_matrix(mean_line, J) + diag_pre_multiply(spread, L) * z;
  mean_line[1] ~ normal(240, 50);
  mean_line[2] ~ normal(6, 5);
  spread[1] ~ normal(0, 30);
  spread[2] ~ normal(0, 3);
  L ~ lkj_corr_cholesky(2);
  to_vector(z) ~ normal(0, 1);
  sigma ~ normal(0, 10);
  for (j in 1:J) weight[j]' ~ normal(line[1, j] + line[2, j] * age, sigma);
}
