#include "adapters/paths.hpp"

#include <algorithm>
#include <cmath>

namespace gadwall {
namespace {

constexpr Index kMostCoordinates = 256;  // evenly chosen among more

Index stride(Index n) {
  return (n + kMostCoordinates - 1) / kMostCoordinates;
}

/// Some of the coordinates of a point.
Vector chosen(ConstVectorRef x) {
  const Index step = stride(x.size());
  return x(Eigen::seq(0, x.size() - 1, step));
}

void append(Matrix& matrix, const Vector& column) {
  matrix.conservativeResize(column.size(), matrix.cols() + 1);
  matrix.rightCols(1) = column;
}

}  // namespace

void Paths::archive(Archive& a) {
  a("start", start);
  a("after", after);
  a("end", end);
  a("accept", accept);
  a("lanes", lanes);
  a("gradients", gradients);
  a("divergences", divergences);
}

void PathsAdapter::look(Look look) {
  look_ = look;
  paths_ = {};
}

void PathsAdapter::learn(const Lesson& lesson, Tuning&) {
  if (look_ == Look::away) return;
  const Transition& t = lesson.transition;
  paths_.lanes = lesson.before.lanes();
  for (Index k = 0; k < lesson.before.lanes(); ++k) {
    append(paths_.start, chosen(lesson.before.x.col(k)));
    append(paths_.after, chosen(lesson.after(k)));
    paths_.gradients += t.leapfrogs[k];
    paths_.divergences += t.divergent[k] ? 1 : 0;
    if (look_ != Look::along_paths) continue;
    const auto steps = static_cast<Index>(t.path.size());
    const Index c = paths_.start.rows();
    Vector ends(c * steps), accept(steps);
    for (Index l = 0; l < steps; ++l) {
      const Waypoint& waypoint = t.path[static_cast<std::size_t>(l)];
      ends.segment(l * c, c) = chosen(waypoint.x.col(k));
      accept[l] = std::exp(std::min(0.0, waypoint.log_ratio[k]));
      if (!std::isfinite(accept[l])) accept[l] = 0;
    }
    append(paths_.end, ends);
    append(paths_.accept, accept);
  }
}

void PathsAdapter::archive(Archive& a) {
  auto look = static_cast<Index>(look_);
  a("look", look);
  look_ = static_cast<Look>(look);
  a("paths", paths_);
}

}  // namespace gadwall
