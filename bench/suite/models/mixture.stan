// A mixture of two normals that overlap, told apart by the order of their means.
data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real<lower=0, upper=1> weight;
  ordered[2] mu;
  vector<lower=0>[2] sigma;
}
model {
  weight ~ beta(2, 2);
  mu ~ normal(0, 3);
  sigma ~ lognormal(0, 0.5);
  for (i in 1:N)
    target += log_mix(weight, normal_lpdf(y[i] | mu[1], sigma[1]), normal_lpdf(y[i] | mu[2], sigma[2]));
}
