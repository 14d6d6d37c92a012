// CBOR (RFC 8949) from files, which may hold anything.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace gadwall {

/// Discarded (is_discarded()) where the bytes are not one whole value, or are nested more deeply
/// than anything of ours: the library that reads them calls itself for every level.
nlohmann::json parse_cbor(std::string_view bytes);

}  // namespace gadwall
