/** Which rows a comparison with a commit has: workloads of the comparison, or gates; and how a row is played. */
import { pathToFileURL } from "node:url";
import { FIELD } from "../comparison/contestants/field.ts";
import { labelOf } from "../comparison/play/table.ts";
import { chromiumHost } from "../comparison/processes/chromium-host.ts";
import type { Host } from "../comparison/processes/host.ts";
import { nodeHost } from "../comparison/processes/node-host.ts";
import type { AnyCell } from "../comparison/processes/serve.ts";
import {
  cellsOf,
  isPlayedBy,
  kindOf,
  piecesOf,
  WORKLOADS,
  type WorkloadName,
} from "../comparison/workloads/workloads.ts";
import { type Dice, diceOf } from "../fixtures/dice.ts";
import { ENTITIES, GATES, type Gate } from "../gates/gates.ts";
import { isQuick } from "../measure/settings.ts";
import { type Block, type ByArm, type Match, type Pace, playBlock } from "./play.ts";

/** One row of a table. */
export interface Row {
  readonly match: Match;
  /** The label in tables: the storage, and the settings of the cell; or the gate. */
  readonly label: string;
  /** How many pieces one run does: times are per piece. */
  readonly pieces: number;
  /** What "old" is, if it is not the packages of the other commit. */
  readonly base?: "new";
  readonly gate?: Pick<Gate, "limit" | "most" | "mode" | "piece">;
}

export interface Chapter {
  readonly workload: string;
  readonly number: string;
  readonly does: string;
  readonly piece: string;
  readonly rows: readonly Row[];
}

const alike = (cell: AnyCell): ByArm<AnyCell> => ({ old: cell, again: cell, new: cell });

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
        match: matchOf({ workload, contestant: `treeline-${storage}`, place }, workload),
        label: [FIELD[`treeline-${storage}`]!.name.replace("Treeline, ", ""), labelOf(given)].join(", "),
        pieces: piecesOf(workload, given),
      })),
    );
    return { workload, number, does, piece, rows };
  });
}

function matchOf(cell: AnyCell, workload: WorkloadName): Match {
  const cells = alike(cell);
  return kindOf(workload) === "fresh" ? { mode: "first", cells } : { mode: "warm", cells, runs: 0 };
}

/** By the storages that play them, as `--only` calls them. */
const GATE_CHAPTERS = {
  "child-of": { storage: "ChildOf", does: "parents by ChildOf, or without parents" },
  parent: { storage: "Parent", does: "parents by Parent" },
};

/** The gates whose rows contain one of the texts; all, if there is no text. */
export function gateChaptersOf(
  texts: readonly string[],
  storages: readonly string[] = STORAGES,
): readonly Chapter[] {
  const chosen = Object.entries(GATE_CHAPTERS).filter(([name]) => storages.includes(name));
  return chosen
    .map(([, { storage, does }]) => ({
      workload: "gates",
      number: "Gates",
      does: `${does}; ${ENTITIES.toLocaleString("en")} entities`,
      piece: "piece",
      rows: GATES.flatMap((gate, place) => {
        return gate.storage === storage && isNamed(gate, texts) ? [rowOf(gate, place)] : [];
      }),
    }))
    .filter(({ rows }) => rows.length > 0);
}

function isNamed({ row }: Gate, texts: readonly string[]): boolean {
  return texts.length === 0 || texts.some((text) => row.includes(text));
}

function rowOf(gate: Gate, place: number): Row {
  const { row, pieces, against } = gate;
  return { match: gateMatchOf(gate, place), label: row, pieces, gate, ...(against && { base: "new" }) };
}

function gateMatchOf({ mode, warm, storage, given, against }: Gate, place: number): Match {
  if (mode === "bytes") {
    const contestant = storage === "Parent" ? "treeline-parent" : "treeline-child-of";
    const { parents } = given as { readonly parents: number };
    return {
      mode,
      task: { kind: "settle", contestant, layout: { parents, children: ENTITIES, queries: 0 } },
    };
  }
  const ours = { workload: "gate", contestant: "treeline", place };
  const base = against === undefined ? ours : { ...ours, contestant: against.name };
  const cells = { old: base, again: base, new: ours };
  if (mode === "first") return { mode, cells };
  return { mode, cells, runs: mode === "early" || !isQuick ? warm : Math.ceil(warm / 4) };
}

/** The built cells with either version of the packages, and the Node or Chromium that runs them. */
export interface Sides {
  readonly old: string;
  readonly new: string;
  readonly binary: string;
  readonly isChromium: boolean;
}

/**
 * Otherwise threads that collect garbage share the processors with other programs: how much they do, and how long they wait for
 * one another, then depends on the machine's load.
 */
const STEADY = ["--single-threaded-gc"];

export interface Player {
  readonly host: string;
  readonly play: (row: Row, pace: Pace) => Promise<Block>;
  readonly close: () => Promise<void>;
}

/** Plays block after block; the random sequence continues, so that no two blocks have the same order. */
export async function playerOf({ binary, isChromium, ...sides }: Sides): Promise<Player> {
  const hostOf = async (path: string): Promise<Host> =>
    isChromium ? chromiumHost(binary, pathToFileURL(`${path}/`)) : nodeHost("Node", binary, path, STEADY);
  const hosts = { old: await hostOf(sides.old), new: await hostOf(sides.new) };
  const dice: Dice = diceOf(1);
  return {
    host: hosts.new.name,
    play: ({ match, base = "old" as const }, pace) =>
      playBlock({ old: hosts[base], again: hosts[base], new: hosts.new }, match, pace, dice),
    close: async () => {
      await Promise.all([hosts.old.close(), hosts.new.close()]);
    },
  };
}
