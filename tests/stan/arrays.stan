// Arrays of vectors and of simplexes, which Stan 2.21 lists in another order than it reads them.
parameters {
  array[3] vector[2] b;
  array[2] simplex[3] p;
  matrix[2, 2] m;
}
model {
  for (i in 1:3) b[i] ~ normal(0, 1);
  to_vector(m) ~ normal(0, 1);
}
