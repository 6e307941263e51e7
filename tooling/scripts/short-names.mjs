// Which internal properties have short names in shipped bundles, and which may not: callers of a package never see them.
import { filesBelow, readText, withoutComments } from "./lib.mjs";

/** Properties of records inside the packages; none of the world itself, so that a world of another copy, or build, is known as one. Decision 0106 says what they save, and how to find more. */
// biome-ignore format: a list of words
const NAMES = `
  intervals chunks stride journal nameIndex hooked ordering traversals isListed cursors
  reading arrivals tracking bindings tests begin handed accepted valueAt joins clauses main
  parentPair aliases cursor objectSlot views copyRows duplicates firstOfTarget turned
  nextOfTarget nodePair merges clause following isWide nodeNext isWatching fixedSources byKey epoch
  erasedType insert isSorted requireDifferent firstNode originals excluded lastOrder sourceRow
  componentIndex spares hashes isReplaced bare freeNodes namesDisabled freePath isInOrder
  isTaken ofPair inTable usersOf prepare sortRows firstBelow nodeTable recent namesEntity
  isFree requiredFirst markSpawned leavesTree readsPairs vacated namesPrefab scalars4 spawnDeferred
  pathsKey wayUp needsEpoch lastFree direct announces broods isFixed callRemoved zero lead
  newGeneration staleList entityRound gained withRows isSpecial sourceRowAt watched findEnabled
  losePair freeName turnTag hashNext observesAny hasRemaining settleRows markTargets keepAddingOrder
  changesOfSpawn settleDisabled dropValues disableBelow isFlushing disabledEdition movePlans
  pairTraits listJoined flatLanes archetypeByKey hasComponentEntities claims byDefinition
  byArchetype isReading destroyInOrder leaveTree turnMarks hasFalseFixedSource dropLoops isSteady
  requireDestroyable isFlat findFixedSource filterUnread turnToJoined excludeTarget collectEither
  listBatched checkParent ownPairs findBelow joinsHold changedInherited requireNotAbove
  nodePrevious viewVersion nextLast beginBound switchedAt ownView turnToColumns
  followTargets hangPair termsInScope beginReading endReading isTag withId
  withoutId rootArchetype ordered isFour binder isOfArchetypes removeFromUsers
  createView entityIn nextRows turnNew frees keepUnread completes inheritedView findFixedSourceAt
  lastPlanTo lastPlan clears forget demandPair firstTo hasWith common cutPath owners
  requireAttachable giveBack hasUnused arrive openLost coming unclaimed
`.trim().split(/\s+/);

/** Methods and state of the classes that save and load documents: no names of data. */
// biome-ignore format: a list of words
const OF_DOCUMENTS = `
  joined lane requireRest nextText isHashed writeValues gatherEntities outsideNumber outsideOf
  ordinals readComponents readPairs isUsual keptValue readKeptTarget isSmallText isSmall
  requireLimits validated writeOthers ownOf readerFor fieldReader
`.trim().split(/\s+/);

const ALL = [...NAMES, ...OF_DOCUMENTS];

/** Fields that functions find by how their names begin: `growAll(records, length, "node")`. */
const GROUPS = ["node", "firstOf"];

/** For names of one or two letters: without those that some source has as a property of its own. */
const LETTERS = "abcdefghjklnopqrtuABCDEFGHIJKLMNOPQRSTUVWXYZ";
const TAKEN = ["at", "by"];

/** A short name for each, the same in all packages: `a`, later `aa`; in a group `node0`. */
const cache = {};
const shorts = ["", ...LETTERS]
  .flatMap((first) => [...LETTERS].map((second) => first + second))
  .filter((short) => !TAKEN.includes(short));
const sizes = {};
for (const name of ALL) {
  const group = GROUPS.find((one) => name.startsWith(one)) ?? "";
  const place = sizes[group] ?? 0;
  sizes[group] = place + 1;
  cache[name] = group === "" ? shorts[place] : group + place;
}

/** For shipped bundles, as options of esbuild. */
export const shortNames = {
  mangleProps: new RegExp(`^(?:${ALL.join("|")})$`),
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
const USERS = [
  "packages/invariants",
  "examples",
  "benchmarks/src",
  "benchmarks/test",
  "tooling/scripts/programs",
];
const SOURCES = ["core", "query", "names", "document", "prefab", "transform", "three"].map(
  (name) => `packages/${name}/src`,
);

/** @returns a line for each name that something else than the packages' own code reads, or whose short name a source has. */
export function problemsOfShortNames() {
  const textOf = (folders, ...endings) =>
    folders
      .flatMap((folder) => filesBelow(folder, ...endings))
      .filter((path) => !/\/(?:node_modules|dist)\//.test(path))
      .map((path) => withoutComments(readText(path)))
      .join("\n");
  const api = textOf(["tooling/api"], ".txt");
  const fixed = textOf(FIXED, ".ts");
  const data = textOf(["packages/document/src/format", ...FIXED.slice(1)], ".ts");
  const users = textOf(USERS, ".ts", ".js");
  const sources = textOf(SOURCES, ".ts");
  const starts = [...sources.matchAll(/(?:BY_\w+ = |(?:grow|shrink)All\([^"\n]*)"(\w+)"/g)].map(
    ([, start]) => start,
  );
  return ALL.flatMap((name) => {
    const group = GROUPS.find((one) => name.startsWith(one));
    const finds = (text, pattern) => new RegExp(pattern).test(text);
    const why = !finds(sources, `\\.${name}\\b`)
      ? "no source has it any more"
      : finds(api, `\\b${name}\\b`)
        ? "the public interface has it"
        : finds(OF_DOCUMENTS.includes(name) ? data : fixed, `\\b${name}\\b`)
          ? "files or generated code have it"
          : finds(users, `\\.${name}\\b`)
            ? "a program outside of the packages reads it"
            : finds(sources, `["'\`]${name}["'\`]`)
              ? "a source has it as a text"
              : starts.some((start) => name.startsWith(start) && start !== group)
                ? "functions find it by its beginning, which is no group here"
                : finds(sources + fixed, `\\.${cache[name]}\\b`)
                  ? `a source has a property ${cache[name]}`
                  : undefined;
    return why === undefined ? [] : [`short-names.mjs: ${name}: ${why}`];
  });
}
