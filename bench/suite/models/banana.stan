// A twisted Gaussian: the second coordinate follows the square of the first.
data {
  int<lower=2> n;
  real bend;
}
parameters {
  vector[n] x;
}
model {
  x[1] ~ normal(0, 10);
  x[2] ~ normal(bend * (100 - square(x[1])), 1);
  if (n > 2) x[3:n] ~ normal(0, 1);
}
