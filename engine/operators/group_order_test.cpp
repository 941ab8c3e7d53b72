#include "operators/group_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace accelerant::operators {
namespace {

columns::Batch batch_at(int64_t morsel, int64_t sequence) {
  columns::Batch batch;
  batch.morsel = batch.morsels_before = morsel;
  batch.sequence = sequence;
  return batch;
}

/// Returns the groups from 1 on in the order of their places.
std::vector<int32_t> ordered(const GroupPlaces& places, int32_t num_groups) {
  std::vector<GroupPlace> found;
  for (int32_t group = 1; group < num_groups; ++group) found.push_back(places.of(group));
  std::ranges::sort(found);
  std::vector<int32_t> groups;
  for (const GroupPlace& place : found) groups.push_back(place.number);
  return groups;
}

using Groups = std::vector<int32_t>;

TEST(GroupPlaces, AscendByBatch) {
  GroupPlaces places;
  places.note(3, batch_at(1, 0), Groups{1, 2, 1}, 1);
  places.note(4, batch_at(0, 5), Groups{3, 1}, 1);
  places.note(4, batch_at(2, 0), Groups{3, 1}, 1);
  EXPECT_EQ(ordered(places, 4), (Groups{3, 1, 2}));
}

TEST(GroupPlaces, AscendByRowThenByProjectionOfAnExpansion) {
  GroupPlaces places;
  places.note(4, batch_at(0, 0), Groups{1, 2, 3}, 2);
  places.note(6, batch_at(0, 1), Groups{4, 5, 4}, 2);
  EXPECT_EQ(ordered(places, 6), (Groups{1, 4, 2, 5, 3}));
  places.note(7, batch_at(0, 2), Groups{6, 1, 2}, 2);
  EXPECT_EQ(ordered(places, 7), (Groups{1, 4, 2, 5, 3, 6}));
}

TEST(GroupPlaces, TakeTheFirstOfSeveralProjectionsOfRows) {
  GroupPlaces places;
  // Rows (1, 3), (2, 4), (3, 5) of which each value is a group; 0 is a row that is not selected.
  places.note(4, batch_at(0, 0), Groups{1, 2, 0, 3}, 2);
  places.note(6, batch_at(0, 1), Groups{3, 4, 0, 5}, 2);
  EXPECT_EQ(ordered(places, 6), (Groups{1, 3, 2, 4, 5}));
}

}  // namespace
}  // namespace accelerant::operators
