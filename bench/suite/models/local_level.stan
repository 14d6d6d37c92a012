// A level that wanders, seen with noise: 100 states, centred, and two sds that compete.
data {
  int<lower=2> T;
  vector[T] y;
}
parameters {
  vector[T] level;
  real<lower=0> sd_level;
  real<lower=0> sd_noise;
}
model {
  level[1] ~ normal(y[1], 10);
  level[2:T] ~ normal(level[1:(T - 1)], sd_level);
  sd_level ~ normal(0, 2);
  sd_noise ~ normal(0, 2);
  y ~ normal(level, sd_noise);
}
