// Linear regression on 26 columns that three hidden factors nearly determine.
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
}
model {
  alpha ~ normal(0, 10);
  b ~ normal(0, 5);
  sigma ~ normal(0, 5);
  y ~ normal(alpha + X * b, sigma);
}
