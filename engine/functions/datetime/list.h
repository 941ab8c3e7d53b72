#pragma once

// One line a function: its header's name and its struct. The build and the registry read this list.
#define ACC_FUNCTIONS_DATETIME(F) \
  F(date_add, DateAdd)            \
  F(date_sub, DateSub)            \
  F(year, Year)                   \
  F(month, Month)                 \
  F(day_of_month, DayOfMonth)
