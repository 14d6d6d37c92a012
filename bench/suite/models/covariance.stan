// Mean and covariance of five measurements with values from 0.1 to 50: scales and a correlation factor.
data {
  int<lower=1> N;
  int<lower=1> K;
  array[N] vector[K] y;
}
parameters {
  vector[K] mu;
  vector<lower=0>[K] scale;
  cholesky_factor_corr[K] L;
}
model {
  mu ~ normal(0, 100);
  scale ~ cauchy(0, 10);
  L ~ lkj_corr_cholesky(1);
  y ~ multi_normal_cholesky(mu, diag_pre_multiply(scale, L));
}
