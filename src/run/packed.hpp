// Byte strings as one, and numbers as bytes: what processes of one kind of machine send each other.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace gadwall {

inline std::string pack(const std::vector<std::string>& strings) {
  std::string packed;
  for (const std::string& string : strings) {
    const std::size_t length = string.size();
    packed.append(reinterpret_cast<const char*>(&length), sizeof length);
    packed += string;
  }
  return packed;
}

inline std::vector<std::string> unpack(std::string_view packed) {
  std::vector<std::string> strings;
  while (!packed.empty()) {
    std::size_t length = 0;
    std::memcpy(&length, packed.data(), sizeof length);
    strings.emplace_back(packed.substr(sizeof length, length));
    packed.remove_prefix(sizeof length + length);
  }
  return strings;
}

inline std::string bytes_of(const std::vector<double>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)};
}

inline std::vector<double> numbers_of(std::string_view bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace gadwall
