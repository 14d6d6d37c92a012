// Ratings of 30 items by 40 raters, both with effects of their own, centred on one mean.
data {
  int<lower=1> N;
  int<lower=1> R;
  int<lower=1> I;
  array[N] int<lower=1, upper=R> rater;
  array[N] int<lower=1, upper=I> item;
  vector[N] rating;
}
parameters {
  real mu;
  real<lower=0> sd_rater;
  real<lower=0> sd_item;
  real<lower=0> sigma;
  vector[R] e_rater;
  vector[I] e_item;
}
model {
  mu ~ normal(0, 10);
  sd_rater ~ normal(0, 2);
  sd_item ~ normal(0, 2);
  sigma ~ normal(0, 2);
  e_rater ~ normal(0, sd_rater);
  e_item ~ normal(0, sd_item);
  rating ~ normal(mu + e_rater[rater] + e_item[item], sigma);
}
