// Binary outcomes in 40 clinics: intercepts and effects of a treatment that vary, non-centred.
data {
  int<lower=1> J;
  array[J] int<lower=1> n_control;
  array[J] int<lower=1> n_treated;
  array[J] int<lower=0> y_control;
  array[J] int<lower=0> y_treated;
}
parameters {
  real alpha;
  real delta;
  real<lower=0> sd_alpha;
  real<lower=0> sd_delta;
  vector[J] z_alpha;
  vector[J] z_delta;
}
model {
  vector[J] control = alpha + sd_alpha * z_alpha;
  alpha ~ normal(0, 2);
  delta ~ normal(0, 2);
  sd_alpha ~ normal(0, 1);
  sd_delta ~ normal(0, 1);
  z_alpha ~ normal(0, 1);
  z_delta ~ normal(0, 1);
  y_control ~ binomial_logit(n_control, control);
  y_treated ~ binomial_logit(n_treated, control + delta + sd_delta * z_delta);
}
