// `explain`: how a query finds its matches, as text; shows `ARCHETYPES_SHOWN` archetypes.
import { ChildOf, defer, type Entity, type Variable, type World } from "@treeline/core";
import {
  ANY,
  type ArchetypeView,
  type EntityIndex,
  indexOf,
  isInternal,
  type PairId,
  Parent,
  pairCursor,
  shown,
  tableAt,
} from "@treeline/core/internal";
import { nextPair, subjectsIn } from "../../match/pairs.ts";
import { isVariable, isWrapped, nameOfVariable, type QueryTerm } from "../../term/operators.ts";
import type { ParsedTerm } from "../../term/plan.ts";
import { textOfEnd, textOfTerm, textOfTerms } from "../../term/text.ts";
import { countRows, createIntervalsFor, type RowIntervals } from "../lists/row-intervals.ts";
import { costOf } from "../rows/candidates.ts";
import { listRows, mustSolve } from "../rows/list-rows.ts";
import { IterationState } from "../state/iteration-state.ts";
import { matchedArchetypes, type Part, type Query, wholeOf } from "../state/query-state.ts";
import { requireQuery } from "./query.ts";

/** More archetypes than these are only counted. */
const ARCHETYPES_SHOWN = 20;

/**
 * Describes how a query finds its matches, as text for people and bug reports: its terms, its users, where it searches for
 * rows, its variables, its archetypes with their rows, and the current number of matches. The same calls in a new world return
 * the same text. The wording may change.
 *
 * It reads without marking: unread changes stay unread for the next iteration. For a disposed query, the text says so.
 *
 * @cost as listing all matches.
 * @throws TreelineError `bad-query` for what is not a query; what functions and comparisons of `groupBy` and `orderBy` throw.
 *
 * @example
 * console.log(explain(query(world, Position, ChildOf(ship))));
 * // query(Position, ChildOf(#4))
 * // state: not cached, since it names an entity
 * // plan: rows looked up by target at each iteration
 * //   target: ChildOf(#4), 2 tables (rarest)
 * // disabled: left out
 * // archetypes: 1 matches, 1 has rows
 * //   ChildOf(Any), Position: 3 rows in 2 tables, 3 matches
 * // matches: 3
 */
export function explain(query: Query): string {
  requireQuery(query);
  const { world, plan, part } = query;
  const whole = wholeOf(query);
  const { orders, groups, siblings } = whole.plan;
  const lines = [`query(${textOfTerms(world, whole.terms)})`];
  if (part !== undefined) lines.push(`part: ${textOfPart(whole, part)}`);
  lines.push(`state: ${textOfState(whole)}`);
  if (whole.users === 0) return lines.join("\n");

  const state = new IterationState(query);
  const intervals = createIntervalsFor(query);
  defer(world, () => listRows(query, state, intervals)); // unread changes stay unread
  lines.push(
    `plan: ${textOfPlan(query)}`,
    ...linesOfPlan(query, state),
    ...linesOfFixedSources(query, state),
  );
  for (const { definition, by, isDescending, path, self } of orders) {
    const what = typeof by === "string" ? `${definition.name}.${by}` : `a comparison of ${definition.name}`;
    const above = path < 0 ? "" : self ? ", its own or above" : " above";
    lines.push(`order: by ${what}${above}${isDescending ? ", largest first" : ""}`);
  }
  if (siblings !== undefined) lines.push(`order: of the trees of ${siblings.name}`);
  if (groups !== undefined)
    lines.push(`groups: by ${groups.by === "target" ? `target of ${groups.relation.name}` : "a function"}`);
  if (plan.isWatching) lines.push(`watches: ${textOfTerms(world, watchedIn(query.terms))}`);
  lines.push(`disabled: ${plan.namesDisabled ? "included" : "left out"}`);
  if (plan.namesPrefab) lines.push("prefabs: included");
  lines.push(...linesOfArchetypes(query, intervals), `matches: ${countRows(intervals)}`);
  return lines.join("\n");
}

// ---- state -------------------------------------------------------------------------------------------------------

function textOfPart(whole: Query, { kind, first, second, key, of }: Part): string {
  const isTarget = whole.plan.groups?.by === "target" && key !== undefined;
  const which = isTarget ? textOfEnd(whole.world, key as number) : shown(key);
  const text = kind === "group" ? `group(${which})` : `${kind}(${first}, ${second})`;
  return of === undefined ? text : `${text} of ${textOfPart(whole, of)}`;
}

function textOfState({ users, plan, lastRead }: Query): string {
  if (users === 0) return "disposed; call query(world, ...) again";
  if (plan.isWatching)
    return `not shared, since it matches changes; has ${lastRead === 0 ? "not read them yet" : "read them"}`;
  if (plan.namesEntity) return "not cached, since it names an entity";
  return `cached by the world, ${counted(users, "user")}`;
}

function watchedIn(terms: readonly QueryTerm[]): QueryTerm[] {
  return terms.flatMap((term): QueryTerm[] => {
    if (!isWrapped(term)) return [];
    return ["changed", "added", "removed", "below"].includes(term.operator) ? [term] : watchedIn(term.of);
  });
}

// ---- plan --------------------------------------------------------------------------------------------------------

function textOfPlan(query: Query): string {
  const { plan, targets } = query;
  const order = ["children first", "not ordered by depth", "parents first"][plan.cascade + 1];
  if (mustSolve(query)) {
    return plan.freePath === undefined
      ? "joined over variables, each step by the join with the fewest branches"
      : `rows with the entity of the variable, ${order}`;
  }
  if (plan.traversals.length > 0) return `rows with the rows of their ancestors, ${order}`;
  if (plan.targeted.some((place) => targets[place] !== ANY))
    return "rows looked up by target at each iteration";
  return plan.namesEntity ? "archetypes looked up at each iteration" : "archetypes cached, and kept current";
}

function linesOfPlan(query: Query, state: IterationState): string[] {
  const { world, plan, bound } = query;
  const lines = plan.variables.map((variable, place) => {
    const setting = bound[place] === 0 ? "free" : textOfEnd(world, bound[place]!);
    return `  variable: ${nameOfVariable(variable as Variable)}, ${setting}`;
  });
  for (const { relation, what } of plan.traversals)
    lines.push(`  path: along ${relation.name} to ${textOfTerm(world, what)}`);
  for (const leaf of plan.leaves)
    if (leaf.kind === "exists")
      lines.push(
        `  search in not: of each row, ${leaf.variables.map((one) => nameOfVariable(one as Variable)).join(", ") || "with its own entity"}`,
      );
  if (state.batches !== undefined) lines.push(`  batches: ${state.batches.rowLists.chunks.alive}`);
  return [...lines, ...linesOfTargets(query)];
}

function linesOfTargets(query: Query): string[] {
  const { world, plan, targets } = query;
  const named = plan.clauses.flatMap(({ operator, definition }, at) => {
    const target = targets[at]!;
    const cost = costOf(query, definition, target);
    return operator === "maybe" || target <= 0 ? [] : [{ operator, definition, target, cost }];
  });
  const required = mustSolve(query) ? [] : named.filter(({ operator }) => operator === "with");
  const least = Math.min(...required.map(({ cost }) => cost));
  const rarest = required.find(({ cost }) => cost === least);
  return named.map((one) => {
    const word = one.operator === "with" ? "target" : "without";
    const text = one.cost === 0 ? "no entity has it" : textOfSubjects(world, one);
    return `  ${word}: ${textOfTerm(world, one)}, ${text}${one === rarest ? " (rarest)" : ""}`;
  });
}

function textOfSubjects(world: World, { definition, target }: ParsedTerm): string {
  const tables = new Set<string>();
  let byValue = 0;
  const index = indexOf(target as Entity);
  const subjects = subjectsIn(world);
  let pair = nextPair(world, definition, index);
  for (; pair !== 0; pair = nextPair(world, definition, index, pair)) {
    for (subjects.ofPair(pair, definition); subjects.next(); ) {
      if (isInType(world, subjects.index, pair)) tables.add(tableOf(world, subjects.index));
      else byValue++;
    }
  }
  const words = [
    tables.size > 0 && counted(tables.size, "table"),
    byValue > 0 && `${counted(byValue, "row")} by value`,
  ];
  return [...words, definition.reflexive && "itself"].filter((word) => word !== false).join(", ");
}

/** Evaluates fixed sources; those that are variables differ from match to match. */
function linesOfFixedSources({ world, plan }: Query, { found }: IterationState): string[] {
  return plan.fixedSources.flatMap(({ source, relation, self, ...parsed }, place) => {
    if (isVariable(source) || isVariable(parsed.target)) return [];
    const plain = textOfTerm(world, parsed);
    const along = relation === undefined || relation === ChildOf ? "" : `, { relation: ${relation.name} }`;
    const what = relation === undefined ? plain : `${self ? "selfOrUp" : "up"}(${plain}${along})`;
    const text = source === 0 ? `singleton(${what})` : `on(${textOfEnd(world, source)}, ${what})`;
    return [`source: ${text} ${found[place] !== 0 ? "holds" : "does not hold"}`];
  });
}

// ---- matches -----------------------------------------------------------------------------------------------------

function linesOfArchetypes(query: Query, { numbers, length, stride }: RowIntervals): string[] {
  const matches = new Map<number, number>();
  for (let at = 0; at < length; at += stride) {
    const archetype = numbers[at]!;
    matches.set(archetype, (matches.get(archetype) ?? 0) + numbers[at + 2]! - numbers[at + 1]!);
  }
  const archetypes = matchedArchetypes(query);
  const filled = archetypes.filter(({ rows }) => rows > 0);
  const [match, have] = [archetypes.length === 1 ? "matches" : "match", filled.length === 1 ? "has" : "have"];
  const lines = [`archetypes: ${archetypes.length} ${match}, ${filled.length} ${have} rows`];
  for (const archetype of filled.slice(0, ARCHETYPES_SHOWN)) {
    const place = `${counted(archetype.rows, "row")} in ${counted(countTables(query.world, archetype), "table")}`;
    lines.push(
      `  ${textOfArchetype(archetype)}: ${place}, ${countedMatches(matches.get(archetype.number) ?? 0)}`,
    );
  }
  if (filled.length > ARCHETYPES_SHOWN) lines.push(`  ... and ${filled.length - ARCHETYPES_SHOWN} more`);
  return lines;
}

function textOfArchetype({ definitions }: ArchetypeView): string {
  const known = definitions.filter((definition) => !isInternal(definition));
  const names = known.map(({ name, kind }) => (kind === "relation" ? `${name}(Any)` : name));
  return names.join(", ") || "(nothing)";
}

function countedMatches(number: number): string {
  return number === 1 ? "1 match" : `${number} matches`;
}

function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

// ---- tables ------------------------------------------------------------------------------------------------------

/** How many tables the rows of an archetype are in. */
function countTables(world: World, { lanes, rows }: ArchetypeView): number {
  return new Set(Array.from(lanes.i32.subarray(0, rows), (index) => tableOf(world, index))).size;
}

/** What entities of one archetype and type have in common: their pairs, and the parent if it is in the type. */
function tableOf(world: World, index: EntityIndex): string {
  const pairs = pairCursor(world);
  const parent = pairs.parentAt(index);
  return `${tableAt(world, index)} ${parent !== 0 && isInType(world, index, parent) ? parent : 0}`;
}

/** Is a pair that an entity has in its type, and neither a parent stored by value nor one of a sparse relation? */
function isInType(world: World, index: EntityIndex, pair: PairId): boolean {
  const pairs = pairCursor(world);
  if (pairs.parentAt(index) === pair) return pairs.parentAt(index, Parent) === 0;
  const table = tableAt(world, index);
  let place = 0;
  while (pairs.inTable(table, place) !== pair && pairs.inTable(table, place) !== 0) place++;
  return pairs.inTable(table, place) === pair;
}
