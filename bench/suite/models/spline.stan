// A smooth curve by 16 spline coefficients whose differences are penalised by an unknown amount.
data {
  int<lower=1> N;
  int<lower=3> K;
  matrix[N, K] B;
  vector[N] y;
}
parameters {
  real first;
  vector[K - 1] jump;
  real<lower=0> tau;
  real<lower=0> sigma;
}
model {
  vector[K] a;
  a[1] = first;
  for (k in 2:K) a[k] = a[k - 1] + tau * jump[k - 1];
  first ~ normal(0, 5);
  jump ~ normal(0, 1);
  tau ~ normal(0, 1);
  sigma ~ normal(0, 1);
  y ~ normal(B * a, sigma);
}
