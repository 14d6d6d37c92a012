// One parameter of every constrained type, given data that inform them.
data {
  int<lower=1> N;
  array[N] vector[2] y;
  array[3] int<lower=0> counts;
}
parameters {
  simplex[3] p;
  cov_matrix[2] S;
  ordered[2] cut;
  real<lower=-1, upper=2> u;
  unit_vector[2] direction;
}
model {
  counts ~ multinomial(p);
  S ~ inv_wishart(4, diag_matrix(rep_vector(1, 2)));
  for (n in 1:N) y[n] ~ multi_normal(rep_vector(0, 2), S);
  cut ~ normal(0, 1);
  u ~ normal(1, 1);
  direction[1] ~ normal(0, 0.5);
}
