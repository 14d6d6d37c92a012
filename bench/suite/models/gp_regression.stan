// Gaussian process regression with the function summed out: length, height and noise.
data {
  int<lower=1> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real<lower=0> sigma;
}
model {
  matrix[N, N] K;
  for (i in 1:N) {
    K[i, i] = square(alpha) + square(sigma) + 1e-10;
    for (j in 1:(i - 1)) {
      K[i, j] = square(alpha) * exp(-0.5 * square((x[i] - x[j]) / rho));
      K[j, i] = K[i, j];
    }
  }
  rho ~ inv_gamma(5, 5);
  alpha ~ normal(0, 2);
  sigma ~ normal(0, 1);
  y ~ multi_normal_cholesky(rep_vector(0, N), cholesky_decompose(K));
}
