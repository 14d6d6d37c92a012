// A linear regression on raw covariates: millimetres, grams and years, none of them centred.
data {
  int<lower=0> N;
  int<lower=0> P;
  matrix[N, P] X;
  array[N] real y;
}
parameters {
  vector[P] b;
  real<lower=0> sigma;
}
model {
  y ~ normal(X * b, sigma);
}
