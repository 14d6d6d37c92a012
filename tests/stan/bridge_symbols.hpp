// What BridgeStan's clients look up in a library: those for Python, Julia and Rust the first, that
// for R the second.
#pragma once

#include <string>
#include <vector>

namespace gadwall::stan {

inline const std::vector<std::string> kBridgeFunctions = {
    "bs_model_construct",     "bs_model_destruct",
    "bs_free_error_msg",      "bs_name",
    "bs_model_info",          "bs_param_names",
    "bs_param_unc_names",     "bs_param_num",
    "bs_param_unc_num",       "bs_param_constrain",
    "bs_param_unconstrain",   "bs_param_unconstrain_json",
    "bs_log_density",         "bs_log_density_gradient",
    "bs_log_density_hessian", "bs_log_density_hessian_vector_product",
    "bs_rng_construct",       "bs_rng_destruct",
    "bs_set_print_callback"};

inline const std::vector<std::string> kBridgeFunctionsForR = {
    "bs_model_construct_R",
    "bs_version_R",
    "bs_model_destruct_R",
    "bs_free_error_msg_R",
    "bs_name_R",
    "bs_model_info_R",
    "bs_param_names_R",
    "bs_param_unc_names_R",
    "bs_param_num_R",
    "bs_param_unc_num_R",
    "bs_param_constrain_R",
    "bs_param_unconstrain_R",
    "bs_param_unconstrain_json_R",
    "bs_log_density_R",
    "bs_log_density_gradient_R",
    "bs_log_density_hessian_R",
    "bs_log_density_hessian_vector_product_R",
    "bs_rng_construct_R",
    "bs_rng_destruct_R"};

}  // namespace gadwall::stan
