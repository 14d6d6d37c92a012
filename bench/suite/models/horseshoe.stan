// Sparse regression: a horseshoe with a Student slab, three of 20 coefficients not zero.
data {
  int<lower=1> N;
  int<lower=1> P;
  matrix[N, P] X;
  vector[N] y;
}
parameters {
  real alpha;
  vector[P] z;
  vector<lower=0>[P] lambda;
  real<lower=0> tau;
  real<lower=0> slab2;
  real<lower=0> sigma;
}
transformed parameters {
  vector[P] b;
  {
    vector[P] lambda2 = square(lambda);
    b = z .* sqrt(slab2 * lambda2 ./ (slab2 + square(tau) * lambda2)) * tau;
  }
}
model {
  alpha ~ normal(0, 5);
  z ~ normal(0, 1);
  lambda ~ student_t(3, 0, 1);
  tau ~ student_t(3, 0, 0.1);
  slab2 ~ inv_gamma(8, 28);
  sigma ~ normal(0, 2);
  y ~ normal(alpha + X * b, sigma);
}
