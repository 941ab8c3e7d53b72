#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_COLUMN_FUNCTIONS(F)                    \
  F(size, Size)                                    \
  F(get_struct_field, GetStructField)              \
  F(get_array_struct_fields, GetArrayStructFields) \
  F(get_array_item, GetArrayItem)                  \
  F(get_map_value, GetMapValue)                    \
  F(element_at, ElementAt)                         \
  F(array_contains, ArrayContains)                 \
  F(create_array, CreateArray)                     \
  F(create_named_struct, CreateNamedStruct)        \
  F(map_keys, MapKeys)                             \
  F(map_values, MapValues)                         \
  F(slice, Slice)                                  \
  F(reverse_array, ReverseArray)                   \
  F(concat_arrays, ConcatArrays)                   \
  F(flatten, Flatten)                              \
  F(array_position, ArrayPosition)                 \
  F(array_remove, ArrayRemove)                     \
  F(array_max, ArrayMax)                           \
  F(array_min, ArrayMin)                           \
  F(sort_array, SortArray)                         \
  F(map_entries, MapEntries)                       \
  F(array_transform, ArrayTransform)               \
  F(array_filter, ArrayFilter)                     \
  F(array_exists, ArrayExists)                     \
  F(array_for_all, ArrayForAll)                    \
  F(transform_values, TransformValues)             \
  F(array_aggregate, ArrayAggregate)               \
  F(array_distinct, ArrayDistinct)                 \
  F(array_union, ArrayUnion)                       \
  F(array_intersect, ArrayIntersect)               \
  F(array_except, ArrayExcept)                     \
  F(arrays_overlap, ArraysOverlap)                 \
  F(create_map, CreateMap)                         \
  F(map_from_arrays, MapFromArrays)                \
  F(map_from_entries, MapFromEntries)              \
  F(map_concat, MapConcat)                         \
  F(map_filter, MapFilter)                         \
  F(transform_keys, TransformKeys)                 \
  F(zip_with, ZipWith)                             \
  F(arrays_zip, ArraysZip)                         \
  F(map_zip_with, MapZipWith)                      \
  F(array_repeat, ArrayRepeat)                     \
  F(array_insert, ArrayInsert)
