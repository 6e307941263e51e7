import { FIELD } from "../comparison/contestants/field.ts";
import { labelOf } from "../comparison/play/table.ts";
import type { Host } from "../comparison/processes/host.ts";
import { nodeHost } from "../comparison/processes/node-host.ts";
import type { Cell } from "../comparison/processes/serve.ts";
import {
  cellsOf,
  isPlayedBy,
  piecesOf,
  WORKLOADS,
  type WorkloadName,
} from "../comparison/workloads/workloads.ts";
import { type Dice, diceOf } from "../fixtures/dice.ts";
import { type Block, type Pace, playBlock } from "./play.ts";

/** One row of the comparison. */
export interface Row {
  readonly cell: Cell;
  /** The label in tables: the storage, and the settings of the cell. */
  readonly label: string;
  /** How many pieces one run does: times are per piece. */
  readonly pieces: number;
}

export interface Chapter {
  readonly workload: WorkloadName;
  readonly number: string;
  readonly does: string;
  readonly piece: string;
  readonly rows: readonly Row[];
}

/** The contestants that are Treeline, as `--only` calls them. */
export const STORAGES: readonly string[] = Object.keys(FIELD)
  .filter((contestant) => FIELD[contestant]!.kind === "ours")
  .map((contestant) => contestant.replace(/^treeline-/, ""));

export function isWorkload(text: string): boolean {
  return workloadsOf([text]).length > 0;
}

/** Workloads whose name or question contains one of the texts; all, if there is no text. */
function workloadsOf(texts: readonly string[]): WorkloadName[] {
  const names = Object.keys(WORKLOADS) as WorkloadName[];
  return names.filter((name) => {
    const called = [name, WORKLOADS[name].question];
    return texts.length === 0 || texts.some((text) => called.some((one) => one.includes(text)));
  });
}

export function chaptersOf(texts: readonly string[], storages: readonly string[]): readonly Chapter[] {
  return workloadsOf(texts).map((workload) => {
    const { number, does, piece } = WORKLOADS[workload];
    const players = storages.filter((storage) => isPlayedBy(workload, `treeline-${storage}`));
    const rows = players.flatMap((storage) =>
      cellsOf(workload).map((given, place) => ({
        cell: { workload, contestant: `treeline-${storage}`, place },
        label: [FIELD[`treeline-${storage}`]!.name.replace("Treeline, ", ""), labelOf(given)].join(", "),
        pieces: piecesOf(workload, given),
      })),
    );
    return { workload, number, does, piece, rows };
  });
}

/** The built `node-cell` with either version of the packages, and the Node that runs it. */
export interface Scripts {
  readonly old: string;
  readonly new: string;
  readonly execPath: string;
}

/** Plays block after block; the random sequence continues, so that no two blocks have the same order. */
export function playerOf({ old, new: fresh, execPath }: Scripts): (cell: Cell, pace: Pace) => Promise<Block> {
  const hostOf = (script: string): Host => nodeHost("Node", execPath, script);
  const hosts = { old: hostOf(old), again: hostOf(old), new: hostOf(fresh) };
  const dice: Dice = diceOf(1);
  return (cell, pace) => playBlock(hosts, cell, pace, dice);
}
