// Checked builds: observers whose changes call observers more than `LEVELS` deep (`mayCall`); throws `recursion` with the last change events.
import { TreelineError } from "../../base/error.ts";
import type { Entity } from "../../id/entity.ts";
import { keepError } from "./lock.ts";
import { textOf } from "./require.ts";
import { type Commands, type World, worldState } from "./world.ts";

/** How many levels of changes that observers make of changes are allowed. */
const LEVELS = 1000;
/** Beyond this level the last change events are kept for a message. */
const UNUSUAL = 100;
/** How many of them. */
const SHOWN = 6;

/** What the changes of one outermost iteration have led to. */
interface Recursion {
  /** The deferred commands of that iteration. */
  commands: Commands;
  /**
   * Deferred functions run in rounds: those of one round were deferred in the round before it. Infinity if there were too many
   * levels: no observer is called until the outermost iteration ends.
   */
  rounds: number;
  /** The number of functions up to the end of the present round. */
  end: number;
  /** The last change events, once there are unusually many levels. */
  chain: unknown[];
}

const recursionOf = /* @__PURE__ */ worldState(() => ({}) as Recursion);

/**
 * For checked builds. May an observer be called? Observers whose changes call observers, more than 1,000 levels deep, are not called any more until
 * the outermost iteration ends, which throws `recursion`. The changes themselves are made.
 */
export function mayCall(world: World, event: unknown): boolean {
  const recursion = recursionOf(world);
  const { commands, deferDepth } = world;
  const { list, last, next, nextLast } = commands;
  if (recursion.commands !== commands) Object.assign(recursion, { commands, rounds: 0, end: 0, chain: [] });
  if (next + nextLast > recursion.end) {
    recursion.rounds++;
    recursion.end = list.length + last.length;
  }
  const levels = Math.max(recursion.rounds, deferDepth >> 1); // an observer and the verb that calls it both defer
  if (levels > UNUSUAL) recursion.chain = [...recursion.chain.slice(1 - SHOWN), event];
  if (levels > LEVELS) stop(world);
  return recursion.rounds <= LEVELS;
}

/** Called when an observer has thrown. Many levels deep that may be an overflow of the stack. */
export function noteFailure(world: World): void {
  if (world.deferDepth > 2 * UNUSUAL) stop(world);
}

function stop(world: World): void {
  const recursion = recursionOf(world);
  if (recursion.rounds === Number.POSITIVE_INFINITY) return;
  const steps = recursion.chain.map((event) => eventText(world, event as AnyEvent)).join(" -> ");
  const why = `observers make changes that call observers, up to ${LEVELS} levels deep: ... -> ${steps}`;
  keepError(world, new TreelineError("recursion", `${why}; make none that changes nothing`));
  recursion.rounds = Number.POSITIVE_INFINITY;
}

interface AnyEvent {
  readonly kind?: string;
  readonly entity?: Entity;
  readonly definition?: { readonly name: string };
  readonly event?: { readonly name: string };
}

/** A change event as text, such as `added Position of Ship::Cockpit`; a monitor passes an entity alone. */
function eventText(world: World, one: AnyEvent): string {
  const { kind = "monitored", entity, definition, event } = one;
  const what = (definition ?? event)?.name ?? "entity";
  return `${kind} ${what} of ${textOf(world, entity ?? (one as Entity))}`;
}
