// Predators and prey by Lotka and Volterra's equations, both counted with lognormal errors.
functions {
  array[] real change(real t, array[] real z, array[] real theta, array[] real x_r, array[] int x_i) {
    array[2] real dz;
    dz[1] = (theta[1] - theta[2] * z[2]) * z[1];
    dz[2] = (theta[3] * z[1] - theta[4]) * z[2];
    return dz;
  }
}
data {
  int<lower=1> T;
  array[T] real time;
  array[T, 2] real<lower=0> y;
}
transformed data {
  array[0] real no_reals;
  array[0] int no_integers;
}
parameters {
  array[4] real<lower=0> theta;
  array[2] real<lower=0> start;
  array[2] real<lower=0> sigma;
}
model {
  array[T, 2] real z = integrate_ode_rk45(change, start, 0, time, theta, no_reals, no_integers, 1e-6, 1e-6, 1000);
  theta[1] ~ normal(1, 0.5);
  theta[2] ~ normal(0.05, 0.05);
  theta[3] ~ normal(0.05, 0.05);
  theta[4] ~ normal(1, 0.5);
  start ~ lognormal(3, 1);
  sigma ~ lognormal(-1, 1);
  for (k in 1:2) y[, k] ~ lognormal(log(z[, k]), sigma[k]);
}
