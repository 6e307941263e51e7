import { TreelineError } from "@treeline/core";
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

const isShipped = process.env.TREELINE_BUILD === "shipped";
const CASES = Number(process.env.TREELINE_WALKS ?? 1) > 1 ? 1 : 8;
const pairs = new Map<boolean, Pair>();

function pairFor(tracks: boolean): Pair {
  const known = pairs.get(tracks);
  if (known !== undefined && known.left-- > 0) return known;
  const pair: Pair = { scenes: [createScene(tracks), createScene(tracks)], left: CASES - 1 };
  pairs.set(tracks, pair);
  return pair;
}

/** Values that were refused, also those of which a callback has caught the error. */
let refusals = 0;

Object.defineProperty(TreelineError.prototype, "name", {
  configurable: true,
  set(this: TreelineError, value: string) {
    if (value.includes("bad-value")) refusals++;
    Object.defineProperty(this, "name", { value, writable: true, enumerable: true, configurable: true });
  },
});

/** How many outcomes were the same, and how many were not since row views refused a value that the compiled loop wrote. */
export const outcomes = { same: 0, refused: 0 };

/**
 * Goes through queries in two equal worlds, one with the callback as it is written, and compares everything after each. Row views of
 * development builds refuse what a field cannot hold, which compiled loops write as typed arrays do: only then may the outcomes differ. In
 * shipped bundles, which refuse none of these values, they are always the same.
 */
export function expectSame(one: Case, names: readonly string[], tracks: boolean): void {
  let pair = pairFor(tracks);
  for (const name of names) {
    refusals = 0;
    const expected = outcomeOf(one.written, pair.scenes[0], name);
    const isRefused = refusals > 0 && !isShipped;
    const found = outcomeOf(one.compiled, pair.scenes[1], name);
    if (found === expected) {
      outcomes.same++;
      continue;
    }
    pairs.delete(tracks);
    if (isRefused) {
      outcomes.refused++;
      pair = pairFor(tracks);
      continue;
    }
    expect(`${one.text}\nof ${name}\n${found}`).toBe(`${one.text}\nof ${name}\n${expected}`);
  }
  const { left, scenes } = pair;
  if (left === 0) expect(verify(scenes[1].world)).toEqual([]);
}

export const QUERIES: readonly string[] = Object.keys(createScene(false).queries);
