/** Stored memory results: one file per host, beside that of the comparison. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { commitHere, machine } from "../../measure/results.ts";
import { isQuick } from "../../measure/settings.ts";
import { FIELD } from "../contestants/field.ts";
import type { Host } from "../processes/host.ts";
import type { Equipment, Layout } from "./holdings.ts";
import type { Growth, Stalls, Weight } from "./task.ts";

type Missing = { readonly kind: "failed"; readonly why: string } | { readonly kind: "cannot" };

export type LayoutOutcome =
  | (Weight & { readonly kind: "weighed"; readonly repetitions: readonly Weight[] })
  | Missing;
export type NamesOutcome =
  | { readonly kind: "weighed"; readonly held: number; readonly repetitions: readonly number[] }
  | Missing;
export type GrowthOutcome = (Growth & { readonly kind: "weighed" }) | Missing;
export type GrowOutcome =
  | (Stalls & { readonly kind: "timed"; readonly repetitions: readonly Stalls[] })
  | Missing;

export interface Row<Outcome> {
  readonly contestant: string;
  readonly outcome: Outcome;
}

export interface Part<Outcome, In extends Row<Outcome> = Row<Outcome>> {
  readonly date: string;
  readonly commit?: string;
  readonly isQuick: boolean;
  /** What was done, and what counts. */
  readonly note: string;
  readonly unit: string;
  readonly results: readonly In[];
}

/** Parts are missing until they have been measured. */
export interface Parts {
  readonly layouts?: Part<LayoutOutcome, Row<LayoutOutcome> & { readonly place: number }> & {
    readonly children: number;
    readonly cells: readonly Omit<Layout, "children">[];
  };
  readonly names?: Part<NamesOutcome> & { readonly names: number };
  readonly storages?: Part<LayoutOutcome, Row<LayoutOutcome> & { readonly place: number }> & {
    readonly cells: readonly Equipment[];
  };
  readonly growth?: Part<GrowthOutcome> & { readonly cycles: number };
  readonly grow?: Part<GrowOutcome> & { readonly entities: number };
}

interface WeighRecord extends Parts {
  readonly date: string;
  readonly host: string;
  readonly machine: string;
  readonly isQuick: boolean;
  readonly contestants: Readonly<Record<string, string>>;
}

/** When the program starts, which is right after the packages were built. */
const commit = commitHere();

export function partOf<Outcome, In extends Row<Outcome>>(
  note: string,
  unit: string,
  results: readonly In[],
): Part<Outcome, In> {
  return { date: today(), ...commit, isQuick, note, unit, results };
}

/** Replaces parts in the file; other parts stay, if the file is about the same host. */
export function keepParts(file: string, host: Host, parts: Parts): void {
  const before = readRecord(file);
  const isSame = before?.host === host.name && before.machine === machine();
  const { layouts, names, storages, growth, grow } = { ...(isSame ? before : {}), ...parts } as Parts;
  const all = { layouts, names, storages, growth, grow };
  const keys = Object.keys(FIELD).filter((key) => {
    return Object.values(all).some((part) => part?.results.some(({ contestant }) => contestant === key));
  });
  const record = {
    date: today(),
    host: host.name,
    machine: machine(),
    isQuick: Object.values(all).some((part) => part?.isQuick === true),
    contestants: Object.fromEntries(keys.map((key) => [key, FIELD[key]!.name])),
    ...all,
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(record, undefined, 1)}\n`);
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function readRecord(file: string): WeighRecord | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as WeighRecord;
  } catch {
    // The file is incomplete: its run was ended while it wrote.
    return undefined;
  }
}
