// Rubin's eight schools, centred or not, with a prediction for a new school.
data {
  int<lower=0> J;
  array[J] real y;
  array[J] real<lower=0> sigma;
  int<lower=0, upper=1> centred;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] z;
}
transformed parameters {
  vector[J] theta;
  if (centred) theta = z;
  else theta = mu + tau * z;
}
model {
  mu ~ normal(0, 5);
  tau ~ normal(0, 10);
  if (centred) z ~ normal(mu, tau);
  else z ~ normal(0, 1);
  y ~ normal(theta, sigma);
}
generated quantities {
  real next_school;
  next_school = normal_rng(mu, tau);
}
