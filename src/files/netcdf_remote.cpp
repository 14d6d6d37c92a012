// Questions to the process that reads a file, and its answers.
#include "files/netcdf_remote.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>

#include "files/netcdf_wire.hpp"
#include "gadwall/catalog.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {

/// Sent as it is.
struct NetcdfQuestion {
  enum class What : std::uint64_t { head, variables, learnt, chain_costs, data, rows };
  What what = What::head;
  NetcdfRange range = {};
};

namespace {

constexpr unsigned kMostComputing = 60;  // seconds per answer; a million names take less than two

/// Before so many bytes of an answer.
struct AnswerHead {
  enum class Kind : std::uint64_t { answer, usage_error, run_error, no_memory };
  Kind kind = Kind::answer;
  std::size_t size = 0;
};

// They are sent as they lie in memory, and no byte goes out that nobody wrote.
static_assert(std::has_unique_object_representations_v<NetcdfQuestion>);
static_assert(std::has_unique_object_representations_v<AnswerHead>);

bool send(const Channel& channel, AnswerHead::Kind kind, const void* bytes, std::size_t size) {
  const AnswerHead head{kind, size};
  return channel.send(&head, sizeof head) && channel.send(bytes, size);
}

bool send(const Channel& channel, const std::string& bytes,
          AnswerHead::Kind kind = AnswerHead::Kind::answer) {
  return send(channel, kind, bytes.data(), bytes.size());
}

bool answer(const Channel& channel, NetcdfSource& source, const NetcdfQuestion& question) {
  using What = NetcdfQuestion::What;
  switch (question.what) {
    case What::head:
      return send(channel, to_bytes(source.head()));
    case What::variables:
      return send(channel, to_bytes(source.variables(question.range.phase)));
    case What::learnt:
      return send(channel, to_bytes(source.learnt()));
    case What::chain_costs:
      return send(channel, to_bytes(source.chain_costs()));
    case What::data:
      return send(channel, to_bytes(source.data()));
    case What::rows:
      break;
  }
  const NetcdfRows rows = source.rows(question.range);
  return send(channel, AnswerHead::Kind::answer, rows.data(),
              static_cast<std::size_t>(rows.size()) * sizeof(double));
}

/// In the other process.
void serve(const std::string& path, const Channel& channel) {
  std::optional<NetcdfSource> source;
  bool goes_on = true;
  for (NetcdfQuestion question; goes_on && channel.receive(&question, sizeof question);) {
    allow_computing(kMostComputing);
    try {
      if (!source) source.emplace(path);
      goes_on = answer(channel, *source, question);
    } catch (const UsageError& error) {
      goes_on = send(channel, error.what(), AnswerHead::Kind::usage_error);
    } catch (const std::bad_alloc&) {
      goes_on = send(channel, "", AnswerHead::Kind::no_memory);
    } catch (const std::exception& error) {
      goes_on = send(channel, error.what(), AnswerHead::Kind::run_error);
    }
  }
  ::_exit(0);  // what HDF5 has open is not closed: it may be damaged
}

/// The lock sees to it that no other thread is inside HDF5 when the process is copied; and tables
/// that are made where they are first asked for are made before, since in the copy nobody would
/// come to the end of one that another thread had begun.
HelperProcess hdf5_process(const std::string& path,
                           const std::function<void(const Channel&)>& serve) try {
  samplers();
  common_statistics();
  const Hdf5Session session;
  return HelperProcess(serve);
} catch (const RunError& error) {
  throw RunError(fmt::format("{}: cannot be read: {}", path, error.what()));
}

[[noreturn]] void explain_end(const std::string& path, HelperProcess& process) {
  const int signal = process.signal_at_end();
  std::string reason = "it is damaged, HDF5 crashed over it";
  if (signal == SIGXCPU) reason = "it is damaged, HDF5 found no end of it";
  if (signal == SIGKILL) reason = "the process that read it was killed, perhaps for want of memory";
  const std::string number = signal > 0 ? fmt::format(" (signal {})", signal) : "";
  throw UsageError(fmt::format("{}: cannot be read: {}{}", path, reason, number));
}

}  // namespace

void try_out(const std::string& path, const std::function<void()>& work) {
  HelperProcess process = hdf5_process(path, [&](const Channel& channel) {
    allow_computing(kMostComputing);
    try {
      work();
    } catch (const std::exception&) {
    }
    channel.send("", 1);
  });
  char done = 0;
  if (!process.channel().receive(&done, 1)) explain_end(path, process);
}

NetcdfRemote::NetcdfRemote(const std::string& path)
    : path_(path),
      process_(hdf5_process(path, [&](const Channel& channel) { serve(path, channel); })) {}

void NetcdfRemote::receive(void* bytes, std::size_t count) const {
  if (!process_.channel().receive(bytes, count)) explain_end(path_, process_);
}

/// The size of the answer, which is to be received then.
std::size_t NetcdfRemote::ask(const NetcdfQuestion& question) const {
  using Kind = AnswerHead::Kind;
  AnswerHead head;
  if (!process_.channel().send(&question, sizeof question)) explain_end(path_, process_);
  receive(&head, sizeof head);
  if (head.kind == Kind::answer) return head.size;
  std::string text(head.size, '\0');
  receive(text.data(), text.size());
  if (head.kind == Kind::usage_error) throw UsageError(text);
  if (head.kind == Kind::no_memory) throw std::bad_alloc();
  throw RunError(fmt::format("{}: cannot be read: {}", path_, text));
}

template <class T>
T NetcdfRemote::answer(const NetcdfQuestion& question) const {
  std::string bytes(ask(question), '\0');
  receive(bytes.data(), bytes.size());
  try {
    return from_bytes<T>(bytes);
  } catch (const RunError&) {
    throw UsageError(fmt::format("{}: cannot be read: its parts do not fit together", path_));
  }
}

NetcdfHead NetcdfRemote::head() const {
  return answer<NetcdfHead>({NetcdfQuestion::What::head});
}

NetcdfVariables NetcdfRemote::variables(Phase phase) const {
  return answer<NetcdfVariables>({NetcdfQuestion::What::variables, {.phase = phase}});
}

NetcdfLearnt NetcdfRemote::learnt() const {
  return answer<NetcdfLearnt>({NetcdfQuestion::What::learnt});
}

std::vector<MeasuredFacts> NetcdfRemote::chain_costs() const {
  return answer<std::vector<MeasuredFacts>>({NetcdfQuestion::What::chain_costs});
}

TargetData NetcdfRemote::data() const {
  return answer<TargetData>({NetcdfQuestion::What::data});
}

void NetcdfRemote::read(NetcdfRange range, NetcdfRows& rows) const {
  range.count = rows.rows();
  const auto size = static_cast<std::size_t>(rows.size()) * sizeof(double);
  if (ask({NetcdfQuestion::What::rows, range}) != size) {
    throw UsageError(fmt::format("{}: cannot be read: a variable has changed its shape", path_));
  }
  receive(rows.data(), size);
}

}  // namespace gadwall::files
