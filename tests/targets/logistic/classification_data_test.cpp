// Design matrix and labels from tables.
#include "targets/logistic/classification_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

#include "message_of.hpp"

namespace gadwall {
namespace {

using Names = std::vector<std::string>;

ClassificationData make(const std::string& text, const ClassificationOptions& options = {}) {
  return make_classification(files::parse_table(text, "data.csv", {options.header}), options);
}

std::string refusal(const std::string& text, const ClassificationOptions& options = {}) {
  return testing::message_of([&] { make(text, options); });
}

ClassificationOptions label(const std::string& name) {
  ClassificationOptions options;
  options.label = name;
  return options;
}

ClassificationOptions raw() {
  ClassificationOptions options;
  options.standardise = false;
  return options;
}

Vector labels(double a, double b, double c) {
  return Vector{{a, b, c}};
}

TEST(ClassificationData, StandardisesWithDivisorNMinusOneAndAppendsTheBias) {
  const ClassificationData data = make("a,b,y\n1,10,0\n2,30,1\n3,20,1\n");
  const Matrix expected{{-1, -1, 1}, {0, 1, 1}, {1, 0, 1}};
  EXPECT_TRUE(data.x.isApprox(expected, 1e-15));
  EXPECT_EQ(data.y, labels(0, 1, 1));
  EXPECT_EQ(data.names, (Names{"a", "b", "bias"}));
  EXPECT_TRUE(data.warnings.empty());
}

TEST(ClassificationData, DividesByTheScaleAndKeepsConstantColumns) {
  ClassificationOptions options;
  options.scale = 255;
  options.bias = false;
  const ClassificationData data = make("p,q,y\n0,255,0\n0,51,1\n", options);
  EXPECT_TRUE(data.x.isApprox(Matrix{{0, 1}, {0, 0.2}}));
  EXPECT_EQ(data.names, (Names{"p", "q"}));
}

TEST(ClassificationData, LeavesFeaturesAsTheyAreWhenAsked) {
  EXPECT_EQ(make("a,y\n5,0\n7,1\n", raw()).x, (Matrix{{5, 1}, {7, 1}}));
}

TEST(ClassificationData, StandardisesValuesNearTheEndsOfTheRange) {
  const ClassificationData data = make(
      "a,b,c,y\n1e308,1e-310,100000000000001,0\n-1e308,3e-310,100000000000002,1\n"
      "0,2e-310,100000000000003,1\n");
  EXPECT_TRUE(data.x.isApprox(Matrix{{1, -1, -1, 1}, {-1, 1, 0, 1}, {0, 0, 1, 1}}, 1e-12));
}

TEST(ClassificationData, DropsConstantColumnsWithAWarning) {
  const ClassificationData data = make("a,b,c,y\n7,1,3,0\n7,2,3,1\n");
  EXPECT_EQ(data.names, (Names{"b", "bias"}));
  EXPECT_NEAR(data.x(1, 0), std::sqrt(0.5), 1e-15);
  EXPECT_EQ(data.x.col(1), Vector::Ones(2));
  EXPECT_EQ(data.warnings, (Names{"data.csv: dropped 2 constant columns: 'a', 'c'"}));
}

TEST(ClassificationData, SaysOnceWhichColumnsHaveOtherNamesAndWhichAreEqual) {
  const ClassificationData data = make("\"b, c\",a,a,d,y\n1,5,2,1,0\n2,1,3,2,1\n4,2,2,4,0\n");
  EXPECT_EQ(data.names, (Names{"b__c", "a", "a_2", "d", "bias"}));
  ASSERT_EQ(data.warnings.size(), 2U);
  EXPECT_EQ(data.warnings[0],
            "data.csv: columns that the draws call otherwise: 'b, c' is b__c, 'a' is a_2");
  EXPECT_EQ(data.warnings[1],
            "data.csv: columns that are equal: b__c and d; of their weights the data tell only the "
            "sum");
}

TEST(ClassificationData, RefusesConstantColumnsWhenAsked) {
  ClassificationOptions options;
  options.constant_columns = ClassificationOptions::refuse;
  EXPECT_EQ(refusal("a,b,y\n1,7,0\n2,7,1\n", options),
            "data.csv: column 2 ('b') is constant (7 in every row), it has no unit variance");
}

TEST(ClassificationData, TheSmallerOfTwoNumbersIsClassZero) {
  EXPECT_EQ(make("1,1\n2,-1\n3,1\n").y, labels(1, 0, 1));
  EXPECT_EQ(make("1,2\n2,1\n3,2.0\n").y, labels(1, 0, 1));
  const ClassificationData data = make("1,10\n2,9\n3,+9\n");
  EXPECT_EQ(data.y, labels(1, 0, 0));
  EXPECT_EQ(data.class0, "9");
  EXPECT_EQ(data.class1, "10");
}

TEST(ClassificationData, TheFirstOfTwoNamesIsClassZero) {
  const ClassificationData data = make("1,yes\n2,no\n3,\"yes\"\n");
  EXPECT_EQ(data.y, labels(1, 0, 1));
  EXPECT_EQ(data.class0, "no");
  EXPECT_EQ(data.class1, "yes");
  EXPECT_EQ(data.names, (Names{"x1", "bias"}));
}

TEST(ClassificationData, TheLabelIsCalledYOrIsLast) {
  EXPECT_EQ(make("y,a\n0,5\n1,6\n1,7\n", raw()).names, (Names{"a", "bias"}));
  EXPECT_EQ(make("a,class\n5,0\n6,1\n7,1\n").names, (Names{"a", "bias"}));
}

TEST(ClassificationData, TheLabelIsFoundByNameAndByPosition) {
  const std::string text = "a,b,c\n0,5,1\n1,6,2\n1,7,3\n";
  for (const char* choice : {"a", "1", "-3"}) {
    EXPECT_EQ(make(text, label(choice)).names, (Names{"b", "c", "bias"})) << choice;
    EXPECT_EQ(make(text, label(choice)).y, labels(0, 1, 1)) << choice;
  }
}

TEST(ClassificationData, AColumnNamedLikeANumberComesBeforeThePosition) {
  ClassificationOptions options = label("1");
  options.header = files::HeaderLine::yes;
  EXPECT_EQ(make("2,1\n5,0\n6,1\n", options).names, (Names{"x2", "bias"}));
}

TEST(ClassificationData, AnUnknownLabelIsAnsweredWithTheColumns) {
  EXPECT_EQ(refusal("age,class\n1,0\n2,1\n", label("clas")),
            "data.csv: no label column 'clas' (did you mean 'class'?); there are: 'age', 'class'");
  EXPECT_EQ(refusal("1,0\n2,1\n", label("outcome")),
            "data.csv: no label column 'outcome'; without a header there are: 'x1', 'x2'");
  EXPECT_EQ(refusal("1,2,3,4,5,6,7,8,9,10,11,12\n", label("z")),
            "data.csv: 1 row, expected at least 2");
}

TEST(ClassificationData, APositionOutOfRangeIsRefused) {
  for (const std::string position : {"0", "3", "-3", "99999999999999999999"}) {
    EXPECT_EQ(refusal("a,b\n1,0\n2,1\n", label(position)),
              "data.csv: no label column " + position + "; positions go from 1 to 2, or -1 to -2");
  }
}

TEST(ClassificationData, AnAmbiguousLabelIsRefused) {
  EXPECT_EQ(refusal("y,y,a\n1,0,3\n2,1,4\n"),
            "data.csv: more than one column is called 'y'; give its position instead");
}

TEST(ClassificationData, OtherThanTwoClassesAreRefusedWithTheValuesSeen) {
  EXPECT_EQ(refusal("a,y\n1,0\n2,0\n"),
            "data.csv: column 2 ('y'): the label has 1 value ('0'), expected 2");
  EXPECT_EQ(refusal("1,b\n2,a\n3,c\n"),
            "data.csv: column 2: the label has 3 values ('a', 'b', 'c'), expected 2");
  std::string many = "a,y\n";
  for (int i = 0; i < 15; ++i) many += "1," + std::to_string(i) + "\n";
  EXPECT_EQ(refusal(many),
            "data.csv: column 2 ('y'): the label has 15 values ('0', '1', '2', '3', '4', '5', '6', "
            "'7', '8', '9' and 5 more), expected 2");
}

TEST(ClassificationData, AMissingLabelIsRefused) {
  EXPECT_EQ(refusal("a,y\n1,0\n2,NA\n"), "data.csv:3: column 2 ('y'): missing value ('NA')");
}

TEST(ClassificationData, TooLittleDataIsRefused) {
  EXPECT_EQ(refusal("a,y\n1,0\n"), "data.csv: 1 row, expected at least 2");
  EXPECT_EQ(refusal("y\n1\n0\n"), "data.csv: no feature column left beside the label");
  EXPECT_EQ(refusal("a,y\n1,0\n1,1\n"), "data.csv: no feature column left beside the label");
}

TEST(ClassificationData, AnUnusableScaleIsRefused) {
  ClassificationOptions options;
  options.scale = -1;
  EXPECT_EQ(refusal("1,0\n2,1\n", options), "scale -1: expected a finite number above 0");
  options.scale = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal("1,0\n2,1\n", options), "scale nan: expected a finite number above 0");
  options.scale = 1e-300;
  EXPECT_EQ(refusal("1e10,0\n2,1\n", options),
            "data.csv: features divided by the scale 1e-300 are not finite");
}

TEST(ClassificationData, CoefficientNamesAreSafeAndUnique) {
  const ClassificationData data =
      make("\"a,b\",a b,\"a\"\"b\",bias,lp__,y\n1,1,1,1,1,0\n2,2,2,2,2,1\n");
  EXPECT_EQ(data.names, (Names{"a_b", "a_b_2", "a_b_3", "bias", "lp_", "bias_2"}));
}

TEST(ClassificationData, LoadsFromAFile) {
  const std::string path = testing::TempDir() + "gadwall_classification_data_test.csv";
  std::ofstream(path) << "a,y\n1,0\n2,1\n";
  EXPECT_EQ(load_classification(path).y, (Vector{{0, 1}}));
  std::remove(path.c_str());
}

TEST(ClassificationData, SaysWhatStandardisingTookOut) {
  const ClassificationData data = make("a,b,c,y\n1,7,1e200,0\n2,7,3e200,1\n6,7,2e200,1\n");
  ASSERT_EQ(data.mean.size(), 2U);  // b is constant
  EXPECT_DOUBLE_EQ(data.mean[0], 3);
  EXPECT_DOUBLE_EQ(data.sd[0], std::sqrt(7));
  EXPECT_DOUBLE_EQ(data.mean[1], 2e200);
  EXPECT_DOUBLE_EQ(data.sd[1], 1e200);
  EXPECT_TRUE(make("a,y\n1,0\n2,1\n", raw()).sd.empty());
}

}  // namespace
}  // namespace gadwall
