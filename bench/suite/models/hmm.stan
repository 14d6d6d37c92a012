// A hidden Markov chain with two states seen through normal noise, summed out by the forward algorithm.
data {
  int<lower=1> T;
  vector[T] y;
}
parameters {
  real<lower=0, upper=1> stay_low;
  real<lower=0, upper=1> stay_high;
  ordered[2] mu;
  vector<lower=0>[2] sigma;
}
model {
  vector[2] forward;
  stay_low ~ beta(4, 1);
  stay_high ~ beta(4, 1);
  mu ~ normal(0, 5);
  sigma ~ normal(0, 2);
  forward[1] = log(0.5) + normal_lpdf(y[1] | mu[1], sigma[1]);
  forward[2] = log(0.5) + normal_lpdf(y[1] | mu[2], sigma[2]);
  for (t in 2:T) {
    real low = log_sum_exp(forward[1] + log(stay_low), forward[2] + log1m(stay_high));
    real high = log_sum_exp(forward[1] + log1m(stay_low), forward[2] + log(stay_high));
    forward[1] = low + normal_lpdf(y[t] | mu[1], sigma[1]);
    forward[2] = high + normal_lpdf(y[t] | mu[2], sigma[2]);
  }
  target += log_sum_exp(forward);
}
