// What differs between 2D and 3D (`Space`); what a world keeps (`SpaceState`); which ticks.
import { type Component, Disabled, type Numbers, type World } from "@treeline/core";
import {
  type ArchetypeView,
  Changes,
  ChildOf,
  keepTicks,
  Prefab,
  SubjectCursor,
  type Track,
  worldState,
} from "@treeline/core/internal";
import { cascade, maybe, type Query, query } from "@treeline/query";

/**
 * Computes a matrix: that of `above` times a local transform.
 *
 * @param local the columns of the local transform.
 * @param row the row of the local transform; each other row belongs to the array before it.
 */
export type Place = (
  local: never,
  row: number,
  above: Numbers,
  aboveRow: number,
  into: Numbers,
  intoRow: number,
) => void;

/** A component for local transforms, and how matrices are computed from it. */
export interface LocalKind {
  readonly component: Component;
  readonly place: Place;
  /** The value that makes a matrix, as near as its fields allow. */
  readonly valueFor: (matrix: Float64Array) => object;
  /** Adds to columns what `place` remembers by row. */
  readonly remember?: (columns: never) => unknown;
}

/** The transforms of one number of dimensions. */
export interface Space {
  /** If an entity has several, the first of these counts. */
  readonly locals: readonly LocalKind[];
  readonly world: Component<unknown, { readonly matrix: Numbers }>;
  /** The matrix that changes nothing. */
  readonly identity: Float64Array;
  /** The product of `above` and a matrix; it may be written over one of them. */
  readonly multiply: (
    matrix: Numbers,
    row: number,
    above: Numbers,
    aboveRow: number,
    into: Numbers,
    intoRow: number,
  ) => void;
  /** Inverts a matrix in place. @returns false, with nothing changed, if it has no inverse. */
  readonly invert: (matrix: Float64Array) => boolean;
}

/** The columns of an archetype that has world transforms. */
export interface Sheet {
  readonly archetype: ArchetypeView;
  /** The version of the columns. */
  version: number;
  /** Undefined without a local transform: the world transform is what the program writes. */
  place: Place | undefined;
  /** The columns of the local transform. */
  local: never;
  matrices: Numbers;
  /** When world matrices changed; while an update runs also PENDING. */
  track: Track;
  /** Rows that moved have late ticks here, and some are not PENDING: there are so many that all rows are read. */
  unread: Track | undefined;
}

/** What a world keeps for the transforms of a space. */
export interface SpaceState {
  readonly world: World;
  readonly space: Space;
  /** All entities with a world transform, parents first. */
  readonly ordered: Query;
  /** Only tells whether the world was restored: then it is lost, and everything is computed again. */
  readonly changes: Changes;
  readonly subjects: SubjectCursor;
  /** By number of archetype. */
  readonly sheets: Sheet[];
  /** The tick of the last update: later ones have not been read. -1 if nothing has. */
  since: number;
  /** The tick of the present update. */
  now: number;
  /** The number of matrices that it has computed. */
  computed: number;
  /** Rows with PENDING, `MARK` numbers each, unless there are so many that all rows are read; only the first `count` are valid. */
  pending: Int32Array<ArrayBuffer>;
  count: number;
}

/** Makes the function that returns the state of a space in a world. */
export function spaceState(space: Space): (world: World) => SpaceState {
  return worldState((world, { packed }) => {
    const sheets: Sheet[] = [];
    packed.push(() => {
      sheets.length = 0; // they would keep the memory of columns that are given back
    });
    for (const definition of [space.world, ...space.locals.map(({ component }) => component)]) {
      keepTicks(world, definition, "changed", true);
      keepTicks(world, definition, "removed", true);
    }
    keepTicks(world, ChildOf, "retargeted", true);
    keepTicks(world, ChildOf, "removed", true);
    return {
      world,
      space,
      ordered: query(world, space.world, cascade(space.world), maybe(Disabled), maybe(Prefab)),
      changes: new Changes(world),
      subjects: new SubjectCursor(world),
      sheets,
      since: -1,
      now: 0,
      computed: 0,
      pending: new Int32Array(64),
      count: 0,
    };
  });
}
