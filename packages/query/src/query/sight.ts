import type { World } from "@treeline/core";
import { handleAt, indexOf, isLiving, type Shape } from "@treeline/core/internal";
import { hasAt, holderAbove } from "../match/above.ts";
import type { Sight } from "../match/tell.ts";
import type { Aside } from "../term/plan.ts";
import { isVariable } from "../term/variable.ts";
import { boundTo, type Query, wholeOf } from "./query-state.ts";
import type { Stretches } from "./stretches.ts";

/** What a visit knows of those it looks at; one for each visit that is running. */
export class Seen implements Sight {
  readonly world: World;
  readonly truths: boolean[];
  /** By aside: the index of the entity that has what is asked for; 0 if there is none. */
  readonly found: number[];
  since = 0;
  sinceRemoved = 0;
  shape: Shape;
  holders: (Shape | undefined)[];
  index = 0;
  row = 0;
  readonly holderRows: number[];
  isSteady = false;
  /** By variable: an entity index; 0 while it is free. */
  readonly variables: number[];
  /** Of a visit with ways to ancestors: the lists that positions are places in. */
  stretches: Stretches | undefined = undefined;
  private query: Query;

  constructor(query: Query) {
    const { world, plan } = query;
    this.query = query;
    this.world = world;
    this.shape = world.graph.root;
    this.truths = plan.asides.map(() => false);
    this.found = plan.asides.map(() => 0);
    this.holders = plan.traversals.map(() => undefined);
    this.holderRows = plan.traversals.map(() => 0);
    this.variables = plan.variables.map(() => 0);
  }

  /** Looks at given entities, as they are now. */
  begin(query: Query): void {
    this.query = query;
    this.stretches = undefined;
    this.isSteady = false;
    const { looked, began } = wholeOf(query);
    this.since = looked;
    this.sinceRemoved = Math.max(looked, began);
    const { asides, variables } = query.plan;
    for (let at = 0; at < variables.length; at++) {
      const handle = query.bound[at]!;
      this.variables[at] = handle !== 0 && isLiving(query.world.entities, handle) ? indexOf(handle) : 0;
    }
    for (let at = 0; at < asides.length; at++) this.askAgain(at);
  }

  /** Looks at one given entity; if a variable is meant, at what that stands for. */
  askAgain(place: number): void {
    const aside = this.query.plan.asides[place]!;
    const found = this.sourceOf(aside);
    this.found[place] = found;
    this.truths[place] = found !== 0;
  }

  sourceOfAside(place: number): number {
    return this.query.plan.asides[place]!.source;
  }

  private sourceOf({ source, question, relation, self }: Aside): number {
    const { world } = this;
    const handle =
      source === 0
        ? (world.standing.get(question.definition.id) ?? 0)
        : isVariable(source)
          ? this.targetOf(source)
          : source;
    if (!isLiving(world.entities, handle)) return 0;
    const index = indexOf(handle);
    const what = isVariable(question.target)
      ? { definition: question.definition, target: this.targetOf(question.target) }
      : question;
    if (relation === undefined || self) {
      if (hasAt(world, index, what)) return index;
      if (relation === undefined) return 0;
    }
    return holderAbove(world, index, relation, what);
  }

  readonly switchedAt = (note: number, index: number): number =>
    this.query.watch.notes[note]?.switched[index] ?? 0;

  readonly targetOf = (variable: number): number => {
    const index = this.variables[this.query.plan.variables.indexOf(variable)] ?? 0;
    return index === 0 ? boundTo(this.query, variable) : handleAt(this.world.entities, index);
  };
}
