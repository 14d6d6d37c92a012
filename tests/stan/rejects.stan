// A normal whose negative half is rejected by the program itself.
parameters {
  real x;
}
model {
  if (x < 0) reject("x must not be negative; found x=", x);
  x ~ normal(0, 1);
}
