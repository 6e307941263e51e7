// Compiles functions from text (`makerOf`, `canCompile`); a loop of its own after `ROWS_BEFORE_OWN` rows.

/**
 * A function that is made again from its text as often as needed. V8 compiles each copy separately and treats captured values as
 * constants, which saves a loop from loading the addresses of its arrays (decision 0034).
 */
export interface Maker<Make> {
  /** One for all layouts. */
  readonly shared: Make;
  /** Compiled separately; the same as `shared` where texts cannot be compiled. @param around wraps its text in another. */
  readonly own: <Other = Make>(around?: (text: string) => string) => Other;
  /** It was made from its text, so it sees nothing but its parameters. */
  readonly isIsolated: boolean;
}

/**
 * After this many rows of one layout its loop is compiled separately. Until then the shared loop has cost about as much extra
 * time as a compilation takes (measured), so a program whose columns grow all the time pays twice at most.
 */
export const ROWS_BEFORE_OWN: number = 0x4_0000;

/** Makes each text different, because equal texts are compiled once. */
let lastNumber = 0;

/** Throws where a content security policy forbids it, and for texts that are not expressions, such as methods. */
function fromText<Make>(text: string): Make {
  const source = `"use strict"; return (${text}); // ${++lastNumber}`;
  // Compilers that keep the names of functions wrap them in `__name`.
  return new Function("__name", source)((value: unknown) => value) as Make;
}

export function makerOf<Make extends (...given: never[]) => unknown>(make: Make): Maker<Make> {
  const text = Function.prototype.toString.call(make);
  try {
    const shared = fromText<Make>(text);
    return { shared, own: (around = (same) => same) => fromText(around(text)), isIsolated: true };
  } catch {
    return { shared: make, own: () => make as never, isIsolated: false };
  }
}

/**
 * Returns whether functions can be compiled from texts here. A content security policy without `unsafe-eval` forbids it; kernels
 * still work then, as fast as other callbacks.
 */
export function canCompile(): boolean {
  try {
    return fromText<() => boolean>("() => true")();
  } catch {
    return false;
  }
}
