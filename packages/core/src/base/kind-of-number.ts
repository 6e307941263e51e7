declare const kindOfNumber: unique symbol;

/**
 * Numbers that mean different things have different types: `NumberOf<"table">` takes any plain number, and none that is known
 * to be something else. At run time it is a number.
 */
export type NumberOf<Kind extends string> = number & { readonly [kindOfNumber]?: Kind };
