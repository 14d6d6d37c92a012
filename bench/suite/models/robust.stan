// Linear regression with Student errors of unknown degrees of freedom and a few gross outliers.
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  vector[N] y;
}
parameters {
  real alpha;
  vector[P] b;
  real<lower=0> sigma;
  real<lower=1> nu;
}
model {
  alpha ~ normal(0, 10);
  b ~ normal(0, 5);
  sigma ~ normal(0, 5);
  nu ~ gamma(2, 0.1);
  y ~ student_t(nu, alpha + X * b, sigma);
}
