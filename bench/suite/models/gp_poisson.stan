// Counts along a line whose log rate is a Gaussian process with unknown length and height, non-centred.
data {
  int<lower=1> N;
  vector[N] x;
  array[N] int<lower=0> count;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real mean_rate;
  vector[N] z;
}
model {
  matrix[N, N] K;
  for (i in 1:N) {
    K[i, i] = square(alpha) + 1e-8;
    for (j in 1:(i - 1)) {
      K[i, j] = square(alpha) * exp(-0.5 * square((x[i] - x[j]) / rho));
      K[j, i] = K[i, j];
    }
  }
  rho ~ inv_gamma(3, 6);
  alpha ~ normal(0, 2);
  mean_rate ~ normal(0, 3);
  z ~ normal(0, 1);
  count ~ poisson_log(mean_rate + cholesky_decompose(K) * z);
}
