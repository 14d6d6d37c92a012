// Counts at 92 sites in six years: effects of sites, centred, of years and of a covariate.
data {
  int<lower=1> N;
  int<lower=1> S;
  int<lower=1> T;
  array[N] int<lower=1, upper=S> site;
  array[N] int<lower=1, upper=T> year;
  vector[N] cover;
  array[N] int<lower=0> count;
}
parameters {
  real mu;
  real b_cover;
  real<lower=0> sd_site;
  real<lower=0> sd_year;
  vector[S] e_site;
  vector[T] e_year;
}
model {
  mu ~ normal(0, 3);
  b_cover ~ normal(0, 2);
  sd_site ~ normal(0, 1);
  sd_year ~ normal(0, 1);
  e_site ~ normal(mu, sd_site);
  e_year ~ normal(0, sd_year);
  count ~ poisson_log(e_site[site] + e_year[year] + b_cover * cover);
}
