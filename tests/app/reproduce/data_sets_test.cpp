// The data sets in the forms in which they are distributed, on small files made here.
#include "reproduce/data_sets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/reproduce/made_repeats.hpp"
#include "gadwall/error.hpp"

namespace gadwall::app::reproduce {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

class DataSets : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(directory_); }
  void TearDown() override { fs::remove_all(directory_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
  }

  /// The data set with so few rows and features as the test writes.
  std::shared_ptr<const Target> load(const std::string& name, Index rows, Index features,
                                     Labels labels = Labels::true_classes) const {
    DataSet set = find_data_set(name);
    set.rows = rows;
    set.features = features;
    const auto files = find_files(set, directory_);
    if (!files) throw UsageError("there are no files");
    return load_data_set(set, *files, labels);
  }

  fs::path directory_ = testing::fresh_directory("data-sets");
};

double log_density(const Target& target, const Vector& w) {
  Vector logp(1);
  Matrix none(0, 0);
  target.evaluate(w, logp, none);
  return logp[0];
}

/// Features -1, 0, 1 in rows of class 0, 0, 1, standardised as they are.
double expected(const Vector& w) {
  double sum = -w.squaredNorm() / 2;
  for (const auto& [x, y] : {std::pair{-1., 0}, {0., 0}, {1., 1}}) {
    const double z = w[0] * x + w[1];
    sum += y * z - std::log1p(std::exp(z));
  }
  return sum;
}

TEST_F(DataSets, AreReadAsTheyAreDistributed) {
  const std::vector<std::array<std::string, 3>> originals = {
      {"german", "german.data-numeric", "   1   1 \n   2   1 \n   3   2 \n"},
      {"heart", "heart.dat", "1.0 1\n2.0 1\n3.0 2\n"},
      {"australian", "australian.dat", "1 0\n2 0\n3 1\n"},
      {"caravan", "ticdata2000.txt", "1\t0\r\n2\t0\r\n3\t1\r\n"},
      {"ripley", "synth.tr", " xs     yc\n 0.1  0\n 0.2  0\n 0.3  1\n"},
      {"german", "german.csv", "x1,y\n1,0\n2,0\n3,1\n"}};
  const Vector w{{0.7, -0.3}};
  for (const auto& [set, file, text] : originals) {
    write(file, text);
    const auto target = load(set, 3, 1);
    EXPECT_EQ(target->dim(), 2) << file;
    EXPECT_NEAR(log_density(*target, w), expected(w), 1e-12) << file;
  }
}

TEST_F(DataSets, OfTwoFilesArePutTogether) {
  write("pima.tr", "npreg type\n1 No\n2 No");
  write("pima.te", "# as distributed\n\nnpreg type\n3 Yes\n");
  const Vector w{{0.7, -0.3}};
  EXPECT_NEAR(log_density(*load("pima", 3, 1), w), expected(w), 1e-12);
}

TEST_F(DataSets, AreNotThereWithHalfOfTheirFiles) {
  write("pima.tr", "npreg type\n1 No\n2 No\n");
  EXPECT_FALSE(find_files(find_data_set("pima"), directory_));
}

TEST_F(DataSets, OfAnotherSizeAreRefused) {
  write("german.csv", "x1,y\n1,0\n2,0\n3,1\n");
  try {
    load("german", 1000, 24);
    FAIL() << "three rows are not the data set";
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("german.csv: 3 rows of 1 features, expected the 1000 of 24"),
              std::string::npos)
        << text;
  }
}

TEST_F(DataSets, SayWhatToGetAndFromWhere) {
  const std::string text = how_to_get(find_data_set("pima"));
  for (const char* part : {"pima.csv, or pima.tr and pima.te", "Ripley", "532 rows"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

/// Images of one pixel: 255 for a five, 0 for a six, and one seven in front.
class Mnist : public DataSets {
 protected:
  static constexpr int kFives = 5421;
  static constexpr int kSixes = 5918;

  void SetUp() override {
    DataSets::SetUp();
    const std::string count = "\0\0\x2c\x4c"s;  // 11340
    write("train-images-idx3-ubyte", "\0\0\x08\x03"s + count + "\0\0\0\x01\0\0\0\x01"s + "\x80" +
                                         std::string(kSixes, '\0') + std::string(kFives, '\xff'));
    write("train-labels-idx1-ubyte", "\0\0\x08\x01"s + count + "\x07" +
                                         std::string(kSixes, '\x06') + std::string(kFives, '\x05'));
  }

  static double log_one(double z) { return -std::log1p(std::exp(-z)); }
};

TEST_F(Mnist, IsReadFromIdxFilesAndScaled) {
  const auto target = load("mnist", kFives + kSixes, 1);
  const Vector w{{0.7, -0.3}};
  const double wanted =
      kFives * log_one(-(0.7 - 0.3)) + kSixes * log_one(-0.3) - w.squaredNorm() / 2;
  EXPECT_NEAR(log_density(*target, w), wanted, 1e-8);
}

TEST_F(Mnist, CarriesTheAuthorsLabelsWhereAsked) {
  const auto target = load("mnist", kFives + kSixes, 1, Labels::authors);
  const Vector w{{0.7, -0.3}};
  constexpr int kWrong = 497;  // sixes with the label of the fives
  const double wanted = kFives * log_one(0.7 - 0.3) + kWrong * log_one(-0.3) +
                        (kSixes - kWrong) * log_one(0.3) - w.squaredNorm() / 2;
  EXPECT_NEAR(log_density(*target, w), wanted, 1e-8);
}

TEST_F(Mnist, WithTheClassesTheOtherWayRoundIsRefused) {
  std::string text = "p0,y\n";
  for (int i = 0; i < kFives + kSixes; ++i) text += i < kFives ? "255,1\n" : "0,0\n";
  write("mnist56.csv", text);
  try {
    load("mnist", kFives + kSixes, 1, Labels::authors);
    FAIL() << "y = 1 for a five";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("y is 1 in 5421 rows, expected 5918 (1: a six"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(Mnist, WithLabelsOfOtherImagesIsRefused) {
  write("train-labels-idx1-ubyte", "\0\0\x08\x01\0\0\0\x02\x05\x06"s);
  try {
    load("mnist", kFives + kSixes, 1);
    FAIL() << "two labels for many images";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("2 labels, expected 11340"), std::string::npos);
  }
}

}  // namespace
}  // namespace gadwall::app::reproduce
