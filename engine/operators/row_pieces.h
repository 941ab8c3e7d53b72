#pragma once

#include <cstddef>
#include <cstdint>

namespace accelerant::operators {

/// A row of rows that lie in pieces, one after the other.
struct PiecePlace {
  size_t piece = 0;
  int64_t row = 0;  ///< of the piece's

  friend bool operator==(const PiecePlace&, const PiecePlace&) = default;
};

/// Returns where part `index` of `count` begins: parts have about as many rows each, are contiguous, and together make
/// up all.
/// @param pieces have `num_rows`
template <class Pieces>
PiecePlace part_begin(const Pieces& pieces, int index, int count) {
  int64_t num_rows = 0;
  for (const auto& piece : pieces) num_rows += piece.num_rows;
  PiecePlace place{0, num_rows / count * index + num_rows % count * index / count};
  while (place.piece < pieces.size() && place.row >= pieces[place.piece].num_rows) {
    place = {place.piece + 1, place.row - pieces[place.piece].num_rows};
  }
  return place;
}

/// Returns how many pieces have rows between two places.
inline int64_t pieces_between(const PiecePlace& begin, const PiecePlace& end) {
  if (begin == end) return 0;
  return static_cast<int64_t>(end.piece - begin.piece) + (end.row > 0 ? 1 : 0);
}

}  // namespace accelerant::operators
