// The results of `rows`, whose lists compilers leave out (`closeOver`).
import type { RowPointer } from "./marks.ts";
import { enterRow } from "./row-guard.ts";

/**
 * What `next` of `rows` returns. It is one object for all rows with the same outputs, and for the end after them, so that a loop
 * meets one class of results.
 */
export interface RowResult {
  done: boolean;
  /** A new list each time it is read. */
  readonly value: unknown[] | undefined;
}

/** The outputs of a query in one slot, as far as results are about them. */
interface Outputs {
  readonly own: RowPointer;
  readonly row: readonly unknown[];
}

/** Results for the outputs of a query in one slot, which one iteration at a time uses. */
export class RowResults {
  /** By absolute row of the present archetype; and by index. Never undefined, so that compilers know their classes. */
  indexes: Int32Array = new Int32Array(0);
  handles: Float64Array = new Float64Array(0);
  /** Development builds: the iterator whose row is shown. */
  user: object = this;
  /** For any outputs. */
  readonly open: RowResult;
  /** For outputs that only depend on their pattern. */
  readonly byPattern: (RowResult | undefined)[] = [];

  constructor({ own, row }: Outputs) {
    const of = this;
    this.open = new (class {
      done = false;
      get value(): unknown[] | undefined {
        return this.done ? undefined : shown(of, listOf(row, of.handles[of.indexes[own.row]!]));
      }
    })();
  }
}

/**
 * A result for outputs as they are now. It closes over them: compilers put `value` into the loop, where outputs are constants, and
 * no list is made if the loop takes it apart at once. Each has a class of its own, since that is how compilers know which they meet,
 * and each number of outputs has a list of its own, whose length is known.
 *
 * @returns `undefined` if there is none for so many outputs.
 */
export function closeOver({ own, row }: Outputs, of: RowResults): RowResult | undefined {
  const [a, b, c, d] = row;
  switch (row.length) {
    case 1:
      return new (class {
        done = false;
        get value(): unknown[] | undefined {
          return this.done ? undefined : shown(of, [a, of.handles[of.indexes[own.row]!]]);
        }
      })();
    case 2:
      return new (class {
        done = false;
        get value(): unknown[] | undefined {
          return this.done ? undefined : shown(of, [a, b, of.handles[of.indexes[own.row]!]]);
        }
      })();
    case 3:
      return new (class {
        done = false;
        get value(): unknown[] | undefined {
          return this.done ? undefined : shown(of, [a, b, c, of.handles[of.indexes[own.row]!]]);
        }
      })();
    case 4:
      return new (class {
        done = false;
        get value(): unknown[] | undefined {
          return this.done ? undefined : shown(of, [a, b, c, d, of.handles[of.indexes[own.row]!]]);
        }
      })();
    default:
      return undefined;
  }
}

/** Written out, because copying a list takes several calls. */
function listOf(row: readonly unknown[], entity: unknown): unknown[] {
  switch (row.length) {
    case 1:
      return [row[0], entity];
    case 2:
      return [row[0], row[1], entity];
    case 3:
      return [row[0], row[1], row[2], entity];
    case 4:
      return [row[0], row[1], row[2], row[3], entity];
    default:
      return [...row, entity];
  }
}

/** The list of a row; development builds replace its row views by guards. */
function shown({ user }: RowResults, row: unknown[]): unknown[] {
  CHECK: enterRow(user, row);
  return row;
}
