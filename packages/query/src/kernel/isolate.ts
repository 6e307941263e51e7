/**
 * A function made anew from its text, as often as is asked for. V8 compiles each of them by itself and takes what it closes over
 * for constants, which spares a loop the addresses of its arrays (decision 0034).
 */
export interface Maker<Make> {
  /** One for all. */
  readonly shared: Make;
  /** Compiled by itself; the same as `shared` where texts cannot be compiled. @param around puts its text into another. */
  readonly own: <Other = Make>(around?: (text: string) => string) => Other;
  /** It was made from its text, so it sees nothing but its parameters. */
  readonly isIsolated: boolean;
}

/**
 * After so many rows of one layout its loop is compiled for itself. Until then the shared loop has cost about as much
 * more as a compilation does (measured), so a program whose columns grow all the time pays twice at most.
 */
export const ROWS_BEFORE_OWN: number = 0x4_0000;

/** Tells one text from another, since equal texts would be compiled once. */
let lastNumber = 0;

/** Throws where a content security policy forbids it, and for texts that are no expression, such as methods. */
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
 * May functions be compiled from texts here? A content security policy without `unsafe-eval` forbids it; kernels work all
 * the same then, as fast as other visitors.
 */
export function canCompile(): boolean {
  try {
    return fromText<() => boolean>("() => true")();
  } catch {
    return false;
  }
}
