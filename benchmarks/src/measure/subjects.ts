/** Subjects of the comparison, measured as a question about Treeline alone: warm, in this process. */
import type { Subject } from "../comparison/workloads/subject.ts";
import { type Contestant, interleave, type Pace, ratioOf } from "./interleave.ts";
import { proveEqual } from "./proof.ts";
import { atMost, nanosecondsAndLow, printTable, type Row } from "./report.ts";
import { keepResults, resultOf } from "./results.ts";

export interface Player {
  /** The label in tables. */
  readonly row: string;
  readonly subject: Subject;
  /** The target of this row, instead of the table's. */
  readonly limit?: number;
}

/** Throws unless all have the same checksum after this many runs. */
export function proveSubjects(players: readonly Player[], runs = 1): void {
  proveEqual(
    players.map(({ row, subject: { before, run, checksum } }) => ({
      name: row,
      checksum: () => {
        for (let at = 0; at < runs; at++) {
          before?.();
          run();
        }
        return checksum();
      },
    })),
  );
}

export function contestantOf({ row, subject: { before, run } }: Player): Contestant {
  return {
    name: row,
    run: () => {
      run();
    },
    ...(before === undefined
      ? {}
      : {
          before: () => {
            before();
          },
        }),
  };
}

export interface SubjectTable {
  /** The results are stored under this key. */
  readonly key: string;
  readonly note: string;
  readonly pieces: number;
  readonly piece: string;
  /** The target of each row, in nanoseconds per piece. Rows without one are for comparison. */
  readonly limit?: number;
  readonly pace: Partial<Pace>;
}

/** Measures the players in turns, prints a row for each, with its ratio to the first, and stores the results. */
export function measureSubjects(players: readonly Player[], table: SubjectTable): void {
  const { key, note, pieces, piece, pace } = table;
  const timings = interleave(players.map(contestantOf), pace);
  const ratios = timings.map((timing) => ratioOf(timing, timings[0]!));
  printTable(
    note,
    players.map(({ row, limit = table.limit }, at): Row => {
      const time = (timings[at]!.median * 1e6) / pieces;
      return {
        row,
        measured: nanosecondsAndLow(timings[at]!, pieces, piece),
        ratio: ratios[at]!,
        ...(limit === undefined ? {} : { goal: atMost(limit, "ns", time) }),
      };
    }),
  );
  keepResults(key, {
    [key]: players.map(({ row }, at) => resultOf(row, timings[at]!, pieces, ratios[at]!)),
  });
}
