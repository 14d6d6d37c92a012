int* cvode(int i);
