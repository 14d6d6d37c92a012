// Shares of six categories at five places whose concentrations are alike: simplexes of multinomial counts.
data {
  int<lower=1> G;
  int<lower=2> K;
  array[G, K] int<lower=0> count;
}
parameters {
  array[G] simplex[K] share;
  simplex[K] common;
  real<lower=0> concentration;
}
model {
  common ~ dirichlet(rep_vector(2, K));
  concentration ~ gamma(2, 0.1);
  for (g in 1:G) {
    share[g] ~ dirichlet(1 + concentration * common);
    count[g] ~ multinomial(share[g]);
  }
}
