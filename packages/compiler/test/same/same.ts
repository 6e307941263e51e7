import { verify } from "@treeline/core/debug";
import { each, type Query } from "@treeline/query";
import * as runtime from "@treeline/query/compiled";
import * as kernels from "@treeline/query/compiled-kernels";
import { transformSync } from "esbuild";
import { expect } from "vitest";
import { compile } from "../../src/module/compile.ts";
import { changesOf, createScene, type Scene, type Surroundings, valuesOf } from "./scene.ts";

/** Goes through a query with the callback of one case; returns what the callback has added up. */
type Run = (query: Query, surroundings: Surroundings) => unknown;

/** One callback, as it is written and compiled. */
export interface Case {
  readonly text: string;
  readonly written: Run;
  readonly compiled: Run;
  readonly isCompiled: boolean;
  readonly reason: string | undefined;
  readonly isKernel: boolean;
}

const NAMES = Object.keys(createScene(false).surroundings).join(", ");

/** Modules without imports, as functions: `each` and what compiled code imports are passed. */
function runOf(code: string, loader: Language): Run {
  const { code: text } = loader === "ts" ? transformSync(code, { loader }) : { code };
  const body = text
    .replace(/^import \{ each \} from .*;$/m, "")
    .replaceAll(
      /import \{ ([^}]*) \} from "@treeline\/query\/compiled(?:-kernels)?";/g,
      (_, names: string) => {
        return `const { ${names.replaceAll(" as ", ": ")} } = runtime;`;
      },
    )
    .replace(/import \{ each \} from "@treeline\/query";/, "")
    .replace("export const run =", "return");
  return new Function("each", "runtime", `"use strict"; ${body}`)(each, { ...runtime, ...kernels }) as Run;
}

type Language = "js" | "ts";

/** @param text a callback; it sees what is in the surroundings, `total`, and `table`. */
export function caseOf(text: string, asKernel = false, language: Language = "js"): Case {
  const code = `import { each } from "@treeline/query";
export const run = (the, { ${NAMES}, ended }) => {
  let total = 0;
  const table = [5, 6, 7];
  try { each(the, ${text}); } finally { ended?.(total); }
  return total;
};
`;
  const { code: made, report } = compile(code, `case.${language}`, { kernels: asKernel });
  const { isCompiled = false, reason } = report[0] ?? {};
  return {
    text,
    written: runOf(code, language),
    compiled: runOf(made, language),
    isCompiled,
    reason,
    isKernel: made.includes("$_kernel("),
  };
}

function outcomeOf(run: Run, scene: Scene, name: string): string {
  let outcome: string;
  const ended = (total: unknown): unknown => scene.told.push(`total ${total}`);
  try {
    outcome = `returned ${run(scene.queries[name]!(), { ...scene.surroundings, ended } as Surroundings)}`;
  } catch (error) {
    outcome = `threw ${error}`;
  }
  // Handles differ from world to world.
  const told = scene.told
    .splice(0)
    .join("\n")
    .replace(/\d{9,}/g, "handle");
  return `${outcome.replace(/\d{9,}/g, "handle")}\n${told}\n${changesOf(scene)}\n${valuesOf(scene)}`;
}

/** Two equal scenes, for several cases: making them takes longer than a case. */
interface Pair {
  readonly scenes: readonly [Scene, Scene];
  left: number;
}

const CASES = Number(process.env.TREELINE_WALKS ?? 1) > 1 ? 1 : 8;
const pairs = new Map<boolean, Pair>();

function pairFor(tracks: boolean): Pair {
  const known = pairs.get(tracks);
  if (known !== undefined && known.left-- > 0) return known;
  const pair: Pair = { scenes: [createScene(tracks), createScene(tracks)], left: CASES - 1 };
  pairs.set(tracks, pair);
  return pair;
}

/** Goes through queries in two equal worlds, one with the callback as it is written, and compares everything after each. */
export function expectSame(one: Case, names: readonly string[], tracks: boolean): void {
  const pair = pairFor(tracks);
  const { scenes } = pair;
  for (const name of names) {
    const [expected, found] = [
      outcomeOf(one.written, scenes[0], name),
      outcomeOf(one.compiled, scenes[1], name),
    ];
    if (found === expected) continue;
    pairs.delete(tracks);
    expect(`${one.text}\nof ${name}\n${found}`).toBe(`${one.text}\nof ${name}\n${expected}`);
  }
  const { left } = pair;
  if (left === 0) expect(verify(scenes[1].world)).toEqual([]);
}

export const QUERIES: readonly string[] = Object.keys(createScene(false).queries);
