// What differs between 2D and 3D (`BoxSpace`); what a world keeps (`BoxState`), by entity (`LINKS`) and archetype (`BoxSheet`).
import type { Component, Numbers, World } from "@treeline/core";
import {
  type ArchetypeView,
  Changes,
  ChildOf,
  columnsOf,
  grownInt32,
  handlesOf,
  hasDefinition,
  keepTicks,
  pairCursor,
  SubjectCursor,
  sizesOf,
  type Track,
  worldState,
} from "@treeline/core/internal";
import type { Corners } from "../math/box.ts";
import type { Space } from "../space/space.ts";

/** The boxes of one number of dimensions, in one precision. */
export interface BoxSpace {
  readonly space: Space;
  /** The box of an entity itself, in its own space. */
  readonly local: Component<unknown, Corners>;
  /** The box of a subtree, in the world. */
  readonly box: Component<unknown, Corners>;
  /** 2 or 3. */
  readonly axes: number;
  /** Computes the box of a moved box; see `placeBox`. */
  readonly place: (
    locals: Corners,
    row: number,
    matrices: Numbers,
    matrixRow: number,
    into: Numbers,
    at: number,
  ) => void;
  /** Arrays with the precision of the columns. */
  readonly List: new (
    length: number,
  ) => Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
}

/** The columns and ticks of an archetype. */
export interface BoxSheet {
  readonly archetype: ArchetypeView;
  /** The version of the columns. */
  version: number;
  /** The list from which tracks were taken. */
  list: readonly Track[] | undefined;
  /** `LOCAL` and `BOX`, as in flags of entities. */
  readonly kind: number;
  readonly hasWorld: boolean;
  locals: Corners | undefined;
  boxes: Corners | undefined;
  matrices: Numbers | undefined;
  /** Tracks by which rows have another parent, or other components. */
  structure: Track[];
  /** Tracks by which local boxes have moved. Those of entities without a world transform move with what is above them. */
  moves: Track[];
  /** Tracks by which what has no world transform below a row is at another place. */
  passes: Track[];
}

/** The entity has a local box; it has the box of its subtree. */
export const LOCAL = 1;
export const BOX = 2;
/** Both, as a literal: bundlers keep what they would have to compute. */
export const KINDS = 3;
/** The box waits for its turn. */
export const QUEUED = 4;
/** It is computed from all its members. */
export const STALE = 8;
/** It is not part of the box around it yet. */
export const NEW = 16;

/** Numbers by entity index, `LINKS` each. */
export const LINKS = 8;
/** The box to which the entity belongs, by entity index: the nearest one above. 0 for none. */
export const HOME = 0;
/** The other members of that box, in a list in two directions; 0 at the ends. */
export const NEXT = 1;
export const PREVIOUS = 2;
/** The first member of this box. */
export const FIRST = 3;
/** The nearest box above, member or not; valid if `SEEN` says so. */
export const ABOVE = 4;
/** Twice the number of the update that found `ABOVE`, plus 1 once what is below has been walked. */
export const SEEN = 5;
/** The next box in the queue at its depth. */
export const FOLLOWING = 6;
/** The bits above. */
export const FLAGS = 7;

/** What a world keeps for the boxes of a space. */
export interface BoxState {
  readonly world: World;
  readonly boxSpace: BoxSpace;
  /** Twice the number of axes: the numbers of a box. */
  readonly size: number;
  /** Whether rows came, left or moved; and whether the world was restored: then it is lost, and everything is computed again. */
  readonly changes: Changes;
  readonly subjects: SubjectCursor;
  readonly pairs: ReturnType<typeof pairCursor>;
  /** By number of archetype, of those that have had rows during an update. */
  readonly sheets: BoxSheet[];
  /** The tick of the last update: later ones have not been read. -1 if nothing has. */
  since: number;
  /** The tick of the present update. */
  now: number;
  /** The number of the present update, from 1. */
  round: number;
  links: Int32Array<ArrayBuffer>;
  /** By index: the handle of the entity, if it is a member or has a box; else 0. */
  handles: Float64Array<ArrayBuffer>;
  /** By index: the local box in the world, as it was last seen, or the box of the subtree, in the form of `math/box.ts`. */
  boxes: Numbers;
  /** A box in between. */
  readonly scratch: Numbers;
  /** Depth -> the first box in the queue. */
  queue: Int32Array<ArrayBuffer>;
  /** The greatest depth in the queue; -1 if it is empty. */
  deepest: number;
  /** Rows, or indexes of entities; the number of those that are valid is told by who fills it. */
  list: Int32Array<ArrayBuffer>;
  /** Indexes of local boxes that have another home. */
  readonly moved: number[];
  readonly stack: number[];
}

/** Makes the function that returns the state of the boxes in a world. */
export function boxState(boxSpace: BoxSpace): (world: World) => BoxState {
  return worldState((world, { packed }) => {
    const { local, box, space, axes, List } = boxSpace;
    for (const definition of [local, box, space.world]) {
      keepTicks(world, definition, "changed", true);
      keepTicks(world, definition, "removed", true);
    }
    keepTicks(world, ChildOf, "retargeted", true);
    keepTicks(world, ChildOf, "removed", true);
    const state: BoxState = {
      world,
      boxSpace,
      size: axes * 2,
      changes: new Changes(world),
      subjects: new SubjectCursor(world),
      pairs: pairCursor(world),
      sheets: [],
      since: -1,
      now: 0,
      round: 0,
      links: new Int32Array(0),
      handles: new Float64Array(0),
      boxes: new List(0),
      scratch: new List(axes * 2),
      queue: new Int32Array(16),
      deepest: -1,
      list: new Int32Array(64),
      moved: [],
      stack: [],
    };
    packed.push((indexes) => {
      state.sheets.length = 0; // they would keep the memory of columns that are given back
      if (state.handles.length <= indexes * 2) return;
      // The next update computes everything.
      state.since = -1;
      state.links = new Int32Array(0);
      state.handles = new Float64Array(0);
      state.boxes = new List(0);
    });
    return state;
  });
}

/** Makes room for all entities. */
export function growBoxes(state: BoxState): void {
  const { entities } = sizesOf(state.world);
  if (state.handles.length >= entities) return;
  const room = handlesOf(state.world).length;
  const handles = new Float64Array(room);
  const boxes = new state.boxSpace.List(room * state.size);
  const links = grownInt32(state.links, room * LINKS);
  handles.set(state.handles);
  boxes.set(state.boxes);
  state.links = links;
  state.handles = handles;
  state.boxes = boxes;
}

/** The columns and tracks of an archetype, as they are now. */
export function boxSheetOf({ sheets, boxSpace }: BoxState, archetype: ArchetypeView): BoxSheet {
  const { lanes, number } = archetype;
  const { local, box, space } = boxSpace;
  sheets[number] ??= {
    archetype,
    version: -1,
    list: undefined,
    kind: (hasDefinition(archetype, local) ? LOCAL : 0) | (hasDefinition(archetype, box) ? BOX : 0),
    hasWorld: hasDefinition(archetype, space.world),
    locals: undefined,
    boxes: undefined,
    matrices: undefined,
    structure: [],
    moves: [],
    passes: [],
  };
  const sheet = sheets[number];
  if (sheet.version !== lanes.version) {
    sheet.version = lanes.version;
    sheet.locals = columnsOf(archetype, local) as Corners | undefined;
    sheet.boxes = columnsOf(archetype, box) as Corners | undefined;
    sheet.matrices = (columnsOf(archetype, space.world) as { readonly matrix: Numbers } | undefined)?.matrix;
  }
  const list = lanes.tracks?.list;
  if (sheet.list !== list) {
    sheet.list = list;
    const all = list ?? [];
    const { locals, hasWorld } = sheet;
    const isOf = ({ definition, kind }: Track, one: { readonly id: number }, ...kinds: string[]): boolean =>
      definition === one.id && kinds.includes(kind);
    const movesParent = (track: Track): boolean => isOf(track, ChildOf, "retargeted", "removed");
    sheet.structure = all.filter(
      (track) =>
        movesParent(track) ||
        isOf(track, local, "changed", "removed") ||
        isOf(track, box, "changed", "removed"),
    );
    sheet.moves = all.filter(
      (track) =>
        locals !== undefined && (isOf(track, local, "changed") || isOf(track, space.world, "changed")),
    );
    sheet.passes = all.filter((track) =>
      hasWorld
        ? isOf(track, space.world, "changed")
        : movesParent(track) || isOf(track, space.world, "removed"),
    );
  }
  return sheet;
}
