// The paper's logistic regressions, for Stan; ours has them built in.
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[P] x;
}
model {
  x ~ normal(0, 1);
  y ~ bernoulli_logit_glm(X, 0, x);
}
