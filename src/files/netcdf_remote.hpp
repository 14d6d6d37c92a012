// A NetCDF draws file that another process reads, so that none can crash this one.
#pragma once

#include "files/helper_process.hpp"
#include "files/netcdf_source.hpp"

namespace gadwall::files {

struct NetcdfQuestion;

/// Does the work, which uses HDF5, in another process, and nothing of what it changes in memory is
/// seen here. UsageError where it crashes; its errors are nobody's business. For what must be done
/// in this process then.
void try_out(const std::string& path, const std::function<void()>& work);

/// HDF5 has errors that a damaged file, or one made to harm, ends its process with. Here that is
/// one that does nothing but read: what comes back are texts and numbers, or the news that it is
/// no more, which is a UsageError as all others. While this lives no commit touches the file. To
/// be used by the thread that made it.
class NetcdfRemote {
 public:
  explicit NetcdfRemote(const std::string& path);

  // As those of NetcdfSource.
  NetcdfHead head() const;
  NetcdfVariables variables(Phase phase) const;
  NetcdfLearnt learnt() const;
  std::vector<MeasuredFacts> chain_costs() const;
  TargetData data() const;

  /// One draw per row; as many rows as `rows` has are read.
  void read(NetcdfRange range, NetcdfRows& rows) const;

 private:
  std::size_t ask(const NetcdfQuestion& question) const;
  void receive(void* bytes, std::size_t count) const;
  template <class T>
  T answer(const NetcdfQuestion& question) const;

  std::string path_;
  mutable HelperProcess process_;
};

}  // namespace gadwall::files
