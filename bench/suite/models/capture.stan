// Capture and recapture (Cormack, Jolly and Seber): survival and capture that differ by year.
data {
  int<lower=3> T;
  array[T - 1] int<lower=0> released;
  array[T - 1, T] int<lower=0> recaptured;
}
parameters {
  real mean_survival;
  real<lower=0> sd_survival;
  vector[T - 1] z_survival;
  vector<lower=0, upper=1>[T - 1] seen;
}
model {
  vector[T - 1] survival = inv_logit(mean_survival + sd_survival * z_survival);
  mean_survival ~ normal(0, 1.5);
  sd_survival ~ normal(0, 1);
  z_survival ~ normal(0, 1);
  seen ~ beta(2, 2);
  for (i in 1:(T - 1)) {
    real unseen = 1;
    real never = 1;
    for (j in i:(T - 1)) {
      real first_seen = unseen * survival[j] * seen[j];
      target += recaptured[i, j + 1] * log(first_seen);
      never = never - first_seen;
      unseen = unseen * survival[j] * (1 - seen[j]);
    }
    target += (released[i] - sum(recaptured[i])) * log(never);
  }
}
