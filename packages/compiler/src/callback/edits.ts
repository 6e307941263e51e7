// The parts of the source that read otherwise in a loop, and their order (`Edit`); the names in a loop (`LoopText`).
import { ADJACENT, ANYWHERE, type Form, MARKS, WRITES_ALL } from "./uses.ts";

/** A parameter, as the texts of loops need it. */
export interface Named {
  /** Its place among the parameters. */
  readonly place: number;
  /** Bits of `uses.ts`. */
  bits: number;
}

/** What a loop is written for: names, and where values are. */
export class LoopText {
  readonly form: Form;
  /** All made names begin with it. */
  readonly prefix: string;
  /** It is the loop of a kernel, which calls nothing, so that no promise comes back. */
  readonly isKernel: boolean;

  constructor(form: Form, prefix: string, isKernel = false) {
    this.form = form;
    this.prefix = prefix;
    this.isKernel = isKernel;
  }

  get row(): string {
    return `${this.prefix}row`;
  }

  /** The entity. */
  get entity(): string {
    return `${this.prefix}handles[${this.prefix}indexes[${this.row}]]`;
  }

  column({ place }: Named, field: string): string {
    return `${this.prefix}${place}_${field}`;
  }

  length({ place }: Named, field: string): string {
    return `${this.prefix}length${place}_${field}`;
  }

  /** Where the numbers of a row begin in the column of an `array` field. */
  base({ place }: Named, field: string): string {
    return `${this.prefix}base${place}_${field}`;
  }

  /** Where the values of a parameter are. @param isBeside it has a list of its own in loops for `BESIDE`. */
  at({ place }: Named, isBeside: boolean): string {
    return this.form === ANYWHERE || (this.form !== ADJACENT && isBeside)
      ? `${this.prefix}at${place}`
      : this.row;
  }

  isThere({ place }: Named): string {
    return this.form === ANYWHERE ? `${this.prefix}has${place}` : "true";
  }

  marks({ place }: Named): string {
    return `${this.prefix}marks${place}`;
  }

  /** The loop marks what it writes of a parameter. */
  marksIn({ bits }: Named): boolean {
    return (bits & MARKS) !== 0 || ((bits & WRITES_ALL) === 0 && this.form === ANYWHERE);
  }
}

/** A variable around the callback, in its loops. */
export function carriedName(prefix: string, name: string): string {
  return `${prefix}of_${name}`;
}

/** A part of the source that reads otherwise in a loop: `start .. end`, nothing if they are equal. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: (loop: LoopText) => string;
  /** At one place: what closes comes first, inner ones before outer ones; then what opens, outer ones first; then what replaces. */
  readonly order: number;
}

const OPENING = 1_000_000;
const REPLACING = 2_000_000;

/** @param depth of the node that the text goes around: 0 for the outermost. */
export function before(start: number, depth: number, text: Edit["text"]): Edit {
  return { start, end: start, text, order: OPENING + depth };
}

export function after(start: number, depth: number, text: Edit["text"]): Edit {
  return { start, end: start, text, order: -depth };
}

export function inPlaceOf(start: number, end: number, text: Edit["text"]): Edit {
  return { start, end, text, order: REPLACING };
}

export function sorted(edits: readonly Edit[]): Edit[] {
  return [...edits].sort((one, other) => one.start - other.start || one.order - other.order);
}
