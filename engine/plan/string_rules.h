#pragma once

#include "plan/expression_call.h"

/// Rules for classes of string functions that hold more than their arguments.
namespace accelerant::plan {

/// Like(left, right, escapeChar).
expressions::Slot bind_like(ExpressionCall& call);
/// StringLocate(substr, str, start): 0 where there is no start, whatever the others are.
expressions::Slot bind_locate(ExpressionCall& call);
/// StringTrim, StringTrimLeft, StringTrimRight(srcStr, trimStr or none).
expressions::Slot bind_trim(ExpressionCall& call);
/// Concat(children): calls of two or three arguments each, of calls.
expressions::Slot bind_concat(ExpressionCall& call);
/// ConcatWs(separator and children): strings that are not null, with the separator between them.
expressions::Slot bind_concat_ws(ExpressionCall& call);
/// StaticInvoke(method, arguments): contains, startsWith and endsWith of binary values.
expressions::Slot bind_static_invoke(ExpressionCall& call);
/// Upper, Lower(child): by the version of Unicode that the engine has.
expressions::Slot bind_case_conversion(ExpressionCall& call);

}  // namespace accelerant::plan
