// Counts over 40 years by a cubic in the year, centred but not scaled: coefficients from 1 to 1e-5.
data {
  int<lower=1> N;
  vector[N] year;
  array[N] int<lower=0> count;
}
parameters {
  real a0;
  real a1;
  real a2;
  real a3;
}
model {
  a0 ~ normal(0, 10);
  a1 ~ normal(0, 1);
  a2 ~ normal(0, 0.1);
  a3 ~ normal(0, 0.01);
  count ~ poisson_log(a0 + a1 * year + a2 * square(year) + a3 * (square(year) .* year));
}
