// The draws of a run that has no files.
#pragma once

#include <memory>
#include <mutex>

#include "files/draw_writer.hpp"
#include "gadwall/sample.hpp"

namespace gadwall::c {

/// Any thread may ask while another writes.
class MemoryDraws final : public files::DrawWriter {
 public:
  explicit MemoryDraws(const RunPlan& plan) : sink_(plan) {}
  MemoryDraws(const MemoryDraws& other) : MemoryDraws(other, std::lock_guard(other.mutex_)) {}
  MemoryDraws& operator=(const MemoryDraws&) = delete;

  void append(const files::ChainBlock& block) override;

  /// As many of each chain as all have.
  Draws so_far() const;

 private:
  MemoryDraws(const MemoryDraws& other, const std::lock_guard<std::mutex>&)
      : files::DrawWriter(), sink_(other.sink_) {}

  mutable std::mutex mutex_;
  mutable MemorySink sink_;
};

/// A writer that outlives the sink that it is given to.
class SharedWriter final : public files::DrawWriter {
 public:
  explicit SharedWriter(std::shared_ptr<files::DrawWriter> to) : to_(std::move(to)) {}
  void append(const files::ChainBlock& block) override { to_->append(block); }

 private:
  std::shared_ptr<files::DrawWriter> to_;
};

}  // namespace gadwall::c
