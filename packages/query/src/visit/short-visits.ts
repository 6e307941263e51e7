/**
 * A first run or stretch of more than LONG rows is begun with a few short visits. V8 learns of a function from about its
 * second call on: a visitor whose first call is one long loop may be compiled without knowledge of the lines before the
 * loop, and stay slow for good. Each of many short runs then cost ten times as much, in a third of processes (measured).
 */
export const LONG = 4096;
export const SHORT_VISITS = 3;
/** Rows of a short visit. */
export const SHORT = 32;
