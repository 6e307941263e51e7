// Which internal properties have short names in shipped bundles, and which may not: callers of a package never see them.
import { filesBelow, readText, withoutComments } from "./lib.mjs";

/** Properties of records inside the packages; none of the world itself, so that a world of another copy, or build, is known as one. Decision 0106 says what they save, and how to find more. */
// biome-ignore format: a list of words
const NAMES = `
  journal firstOfTarget nameIndex valuePair nextOfTarget isInOrder nodePair objectSlot
  parentPair firstNode hashNext componentIndex cursors nodePrevious nodeNext lastOrder
  following hooked freeNodes flatLanes archetypeByKey needsEpoch tracking arrivals
  hasPairs originals firstBelow accepted observesAny clauses lastPair duplicates
  nodeTable lastFree lastTable viewVersion newGeneration byRow epoch markSpawned
  hasComponentEntities staleList direct claims traversals leavesTree entityRound chunks
  tests withId gained joins isFlushing announces relocate aliases
  disabledEdition fixedSources hasRemaining isTaken recent spares clause namesDisabled
  withRows withoutId movePlans completes byDefinition spareTable settleRows isWatching
  readsPairs vacated isSorted nextLast byArchetype broods isWide isSpecial
  erasedType isFixed merges sourceRowAt namesPrefab hashes beginBound rootArchetype
  inheritedView owners ofPair requireAttachable findFixedSourceAt namesEntity giveBack switchedAt
  ownView turnToColumns unclaimed excluded ordered inTable lastPlanTo isFour
  binder isReading coming lastPlan
`.trim().split(/\s+/);

/** Fields that functions find by how their names begin: `growAll(records, length, "node")`. */
const GROUPS = ["node", "firstOf"];

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** A short name for each, the same in all packages: `_a`, or `node_a` in a group. */
const cache = {};
for (const [place, name] of NAMES.entries()) {
  const group = GROUPS.find((one) => name.startsWith(one)) ?? "";
  const round = Math.floor(place / LETTERS.length);
  cache[name] = `${group}_${LETTERS[place % LETTERS.length]}${round === 0 ? "" : round}`;
}

/** For shipped bundles, as options of esbuild. */
export const shortNames = {
  mangleProps: new RegExp(`^(?:${NAMES.join("|")})$`),
  mangleCache: cache,
  reserveProps: /^$/,
};

/** Files whose properties are data that is saved, or whose texts become code: nothing in them is renamed. */
const FIXED = [
  "packages/document/src",
  "packages/prefab/src/file",
  "packages/query/src/kernel",
  "packages/compiler/src",
];
/** Programs that see the shipped bundles as users do. */
const USERS = ["packages/invariants", "examples", "benchmarks/src", "benchmarks/test", "scripts/programs"];
const SOURCES = ["core", "query", "names", "prefab", "transform", "three"].map(
  (name) => `packages/${name}/src`,
);

/** @returns a line for each name that something else than the packages' own code reads. */
export function problemsOfShortNames() {
  const textOf = (folders, ...endings) =>
    folders
      .flatMap((folder) => filesBelow(folder, ...endings))
      .filter((path) => !/\/(?:node_modules|dist)\//.test(path))
      .map((path) => withoutComments(readText(path)))
      .join("\n");
  const api = textOf(["api"], ".txt");
  const fixed = textOf(FIXED, ".ts");
  const users = textOf(USERS, ".ts", ".js");
  const sources = textOf(SOURCES, ".ts");
  const starts = [...sources.matchAll(/(?:BY_\w+ = |(?:grow|shrink)All\([^"\n]*)"(\w+)"/g)].map(
    ([, start]) => start,
  );
  return NAMES.flatMap((name) => {
    const group = GROUPS.find((one) => name.startsWith(one));
    const finds = (text, pattern) => new RegExp(pattern).test(text);
    const why = !finds(sources, `\\.${name}\\b`)
      ? "no source has it any more"
      : finds(api, `\\b${name}\\b`)
        ? "the public interface has it"
        : finds(fixed, `\\b${name}\\b`)
          ? "files or generated code have it"
          : finds(users, `\\.${name}\\b`)
            ? "a program outside of the packages reads it"
            : finds(sources, `["'\`]${name}["'\`]`)
              ? "a source has it as a text"
              : starts.some((start) => name.startsWith(start) && start !== group)
                ? "functions find it by its beginning, which is no group here"
                : undefined;
    return why === undefined ? [] : [`short-names.mjs: ${name}: ${why}`];
  });
}
