import { ChildOf, type Definition, type Variable, type World } from "@treeline/core";
import { insideVisit, isInternal, looseCountOf, type Shape, shown } from "@treeline/core/internal";
import { type Sources, sourcesOf } from "../match/sources.ts";
import { isWrapped, type QueryTerm } from "../term/operators.ts";
import { namesTarget } from "../term/plan.ts";
import { textOfEnd, textOfQuestion, textOfTerms } from "../term/term-text.ts";
import { isVariable, nameOfVariable } from "../term/variable.ts";
import { gather, mustSolve } from "./gather.ts";
import { shapesOf } from "./gather-rows.ts";
import { requireQuery } from "./query.ts";
import { type Part, type Query, wholeOf } from "./query-state.ts";
import { Seen } from "./sight.ts";
import { countPositions, createSpansFor, type Spans } from "./spans.ts";

/** More shapes than these are only counted. */
const SHAPES_SHOWN = 20;

/**
 * How a query is answered, as text for people and bug reports: its terms, who shares it, where its rows are looked for,
 * what its variables stand for, its shapes with their rows, and how many answers there are now. The same calls in a new
 * world give the same text. The wording may change.
 *
 * It only peeks: what is news to the query stays news to its next visit. Of a disposed query it tells that it is one.
 *
 * Cost: as listing all answers.
 *
 * @throws TreelineError `bad-query` for what is no query; what functions and comparisons of `groupBy` and `orderBy` throw.
 *
 * @example
 * console.log(explain(query(world, Position, ChildOf(ship))));
 * // query(Position, ChildOf(e4))
 * // state: not kept, since it names an entity
 * // plan: rows looked up by target at each visit
 * //   target: ChildOf(e4), 2 tables (rarest)
 * // disabled: left out
 * // shapes: 1 matches, 1 has rows
 * //   ChildOf(Any), Position: 3 rows in 2 tables, 3 answers
 * // answers: 3
 */
export function explain(query: Query): string {
  requireQuery(query);
  const { world, plan, part } = query;
  const whole = wholeOf(query);
  const { order, groups } = whole.plan;
  const lines = [`query(${textOfTerms(world, termsOf(whole))})`];
  if (part !== undefined) lines.push(`part: ${textOfPart(whole, part)}`);
  lines.push(`state: ${textOfState(whole)}`);
  if (whole.users === 0) return lines.join("\n");

  const seen = new Seen(query);
  const spans = createSpansFor(query);
  insideVisit(world, () => gather(query, seen, spans)); // and what is news stays news
  lines.push(`plan: ${textOfPlan(query)}`, ...linesOfPlan(query, seen), ...linesOfAsides(query, seen));
  if (order !== undefined) {
    const { definition, by, isDescending } = order;
    const what = typeof by === "string" ? `${definition.name}.${by}` : `a comparison of ${definition.name}`;
    lines.push(`order: by ${what}${isDescending ? ", largest first" : ""}`);
  }
  if (groups !== undefined) {
    lines.push(`groups: by ${isRelation(groups) ? `target of ${groups.name}` : "a function"}`);
  }
  if (plan.isWatching) lines.push(`watches: ${textOfTerms(world, watchedIn(plan.terms))}`);
  lines.push(`disabled: ${plan.namesDisabled ? "asked for" : "left out"}`);
  lines.push(...linesOfShapes(query, spans), `answers: ${countPositions(spans)}`);
  return lines.join("\n");
}

// ---- what it is --------------------------------------------------------------------------------------------------

/** As they were given. A query that took over the plan of one like it has targets of its own. */
function termsOf({ plan, clauses }: Query): readonly QueryTerm[] {
  if (clauses === plan.clauses || plan.variables.length > 0) return plan.terms;
  return plan.terms.map((term, at) => {
    return namesTarget(clauses[at]!) ? ({ ...clauses[at]! } as unknown as QueryTerm) : term;
  });
}

function textOfPart(whole: Query, { kind, first, second, key, of }: Part): string {
  const text =
    kind !== "group"
      ? `${kind}(${first}, ${second})`
      : isRelation(whole.plan.groups) && key !== undefined
        ? `group(${textOfEnd(whole.world, key as number)})`
        : `group(${shown(key)})`;
  return of === undefined ? text : `${text} of ${textOfPart(whole, of)}`;
}

function isRelation(by: unknown): by is Definition {
  return (by as Definition | undefined)?.kind !== undefined;
}

function textOfState({ users, plan, isTargeted, looked }: Query): string {
  if (users === 0) return "disposed; ask for it anew with query(world, ...)";
  if (plan.isWatching) {
    return `nobody else's, since it asks for changes; has ${looked === 0 ? "not looked yet" : "looked"}`;
  }
  return isTargeted ? "not kept, since it names an entity" : `kept by the world, ${counted(users, "user")}`;
}

function watchedIn(terms: readonly QueryTerm[]): QueryTerm[] {
  return terms.flatMap((term): QueryTerm[] => {
    if (!isWrapped(term)) return [];
    return ["changed", "added", "removed"].includes(term.operator) ? [term] : watchedIn(term.of);
  });
}

// ---- where it looks ----------------------------------------------------------------------------------------------

function textOfPlan(query: Query): string {
  const { plan, clauses, isTargeted } = query;
  const order = ["children first", "in no order of depth", "parents first"][plan.cascade + 1];
  if (mustSolve(query)) {
    if (plan.freeWay === undefined)
      return "joined over variables, at each step along the way that branches least";
    return `rows with what the variable stands for beside them, ${order}`;
  }
  if (plan.traversals.length > 0) {
    return `rows with those of their ancestors, ${order}`;
  }
  if (clauses.some((clause) => clause.operator !== "maybe" && namesTarget(clause))) {
    return "rows looked up by target at each visit";
  }
  return isTargeted ? "shapes looked up at each visit" : "shapes listed, and kept current";
}

function linesOfPlan(query: Query, seen: Seen): string[] {
  const { world, plan, bound } = query;
  const lines = plan.variables.map((variable, place) => {
    const setting = bound[place] === 0 ? "free" : textOfEnd(world, bound[place]!);
    return `  variable: ${nameOfVariable(variable as Variable)}, ${setting}`;
  });
  for (const { relation, what } of plan.traversals) {
    lines.push(`  way: along ${relation.name} to ${textOfQuestion(world, what)}`);
  }
  if (seen.stretches !== undefined) lines.push(`  stretches: ${seen.stretches.positions.chunks.alive}`);
  return [...lines, ...linesOfTargets(query)];
}

function linesOfTargets(query: Query): string[] {
  const { world, clauses } = query;
  const named = clauses
    .filter((clause) => clause.operator !== "maybe" && namesTarget(clause))
    .map((clause) => ({ clause, sources: sourcesOf(world, clause) }));
  const wanted = named.filter(({ clause }) => clause.operator === "with");
  const least = Math.min(...wanted.map(({ sources }) => sources.cost));
  const rarest = mustSolve(query) ? undefined : wanted.find(({ sources }) => sources.cost === least);
  return named.map((one) => {
    const word = one.clause.operator === "with" ? "target" : "without";
    const text = `${textOfQuestion(world, one.clause)}, ${textOfSources(world, one.sources)}`;
    return `  ${word}: ${text}${one === rarest ? " (rarest)" : ""}`;
  });
}

function textOfSources({ graph }: World, { pairs, loose, self, cost }: Sources): string {
  if (cost === 0) return "nobody has it";
  const words: string[] = [];
  const tables = pairs.reduce((sum, pair) => sum + graph.records.tables[pair]!, 0);
  if (tables > 0) words.push(counted(tables, "table"));
  if (loose !== 0) words.push(counted(looseCountOf(graph.links, loose), "loose row"));
  if (self !== 0) words.push("itself");
  return words.join(", ");
}

/** Looks at given entities; those at variables differ from answer to answer. */
function linesOfAsides({ world, plan }: Query, { truths }: Seen): string[] {
  return plan.asides.flatMap(({ source, question, relation, self }, place) => {
    if (isVariable(source) || isVariable(question.target)) return [];
    const plain = textOfQuestion(world, question);
    const along = relation === undefined || relation === ChildOf ? "" : `, { relation: ${relation.name} }`;
    const what = relation === undefined ? plain : `${self ? "selfOrUp" : "up"}(${plain}${along})`;
    const text = source === 0 ? `singleton(${what})` : `on(${textOfEnd(world, source)}, ${what})`;
    return [`given: ${text} ${truths[place] ? "holds" : "does not hold"}`];
  });
}

// ---- what it finds -----------------------------------------------------------------------------------------------

function linesOfShapes(query: Query, { numbers, length, stride }: Spans): string[] {
  const answers = new Map<number, number>();
  for (let at = 0; at < length; at += stride) {
    const shape = numbers[at]!;
    answers.set(shape, (answers.get(shape) ?? 0) + numbers[at + 2]! - numbers[at + 1]!);
  }
  const shapes = shapesOf(query);
  const filled = shapes.filter(({ rows }) => rows > 0);
  const lines = [`shapes: ${agreeing(shapes.length, "match")}, ${agreeing(filled.length, "have")} rows`];
  for (const shape of filled.slice(0, SHAPES_SHOWN)) {
    const place = `${counted(shape.rows, "row")} in ${counted(shape.tables, "table")}`;
    lines.push(`  ${textOfShape(shape)}: ${place}, ${counted(answers.get(shape.number) ?? 0, "answer")}`);
  }
  if (filled.length > SHAPES_SHOWN) lines.push(`  ... and ${filled.length - SHAPES_SHOWN} more`);
  return lines;
}

function textOfShape({ definitions }: Shape): string {
  const names = definitions
    .filter((definition) => !isInternal(definition))
    .map(({ name, kind }) => (kind === "relation" ? `${name}(Any)` : name));
  return names.length === 0 ? "(nothing)" : names.join(", ");
}

function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

function agreeing(number: number, verb: "match" | "have"): string {
  if (number !== 1) return `${number} ${verb}`;
  return verb === "match" ? "1 matches" : "1 has";
}
