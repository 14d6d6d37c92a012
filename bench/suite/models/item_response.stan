// Two-parameter item response: abilities of persons, discriminations and difficulties of items.
data {
  int<lower=1> P;
  int<lower=1> I;
  array[P, I] int<lower=0, upper=1> y;
}
parameters {
  vector[P] ability;
  vector<lower=0>[I] discrimination;
  vector[I] difficulty;
  real mean_difficulty;
  real<lower=0> sd_discrimination;
  real<lower=0> sd_difficulty;
}
model {
  ability ~ normal(0, 1);
  discrimination ~ lognormal(0, sd_discrimination);
  difficulty ~ normal(mean_difficulty, sd_difficulty);
  mean_difficulty ~ normal(0, 2);
  sd_discrimination ~ normal(0, 1);
  sd_difficulty ~ normal(0, 2);
  for (i in 1:I) y[, i] ~ bernoulli_logit(discrimination[i] * (ability - difficulty[i]));
}
