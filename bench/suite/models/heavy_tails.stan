// Student coordinates with 5 degrees of freedom and scales from 0.1 to 10.
data {
  int<lower=1> n;
  vector<lower=0>[n] scale;
}
parameters {
  vector[n] x;
}
model {
  x ~ student_t(5, 0, scale);
}
