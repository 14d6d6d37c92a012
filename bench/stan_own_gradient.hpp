// The gradient by Stan's own C++ function, inside a compiled program: what ours is measured
// against. `gadwall compile --flags='-include ...'` puts it before both sources of a program, hence
// weak.
#pragma once

#include <stan/model/log_prob_grad.hpp>
#include <stan/model/model_header.hpp>

#include "json_context.hpp"

#define GADWALL_WEAK extern "C" __attribute__((weak, visibility("default")))

stan::model::model_base& new_model(stan::io::var_context& data, unsigned int seed,
                                   std::ostream* messages);

/// A model that is never released.
GADWALL_WEAK void* own_model(const char* data) {
  return &new_model(*gadwall_stan::context_of(data), 1, nullptr);
}

/// x, grad: std::vector<double> of the model's dimension; grad is resized by Stan itself.
GADWALL_WEAK double own_gradient(void* model, std::vector<double>* x, std::vector<double>* grad) {
  static thread_local std::vector<int> no_integers;
  return stan::model::log_prob_grad<true, true>(*static_cast<stan::model::model_base*>(model), *x,
                                                no_integers, *grad, nullptr);
}
