import {
  ChildOf,
  changed,
  children,
  type Entity,
  entities,
  get,
  Name,
  parentOf,
  query,
  roots,
  type World,
} from "treeline";

const ROW_HEIGHT = 22; // as in style.css
const INDENT = 14;

export interface OutlinerEvents {
  readonly select: (entity: Entity) => void;
  /** An entity has been dropped on another one. */
  readonly drop: (dragged: Entity, target: Entity) => void;
}

export interface Outliner {
  /** Call it in each frame: it draws again only if an entity has another parent. */
  readonly update: () => void;
  /** Selects an entity, and scrolls to it. */
  readonly reveal: (entity: Entity) => void;
}

interface Row {
  readonly entity: Entity;
  readonly level: number;
  readonly children: number;
}

/** The tree of a world in a panel. Only rows in sight are elements, so that thousands of children are none. */
export function createOutliner(panel: HTMLElement, world: World, events: OutlinerEvents): Outliner {
  const moved = query(world, Name, changed(ChildOf));
  const open = new Set<Entity>(roots(world));
  const box = panel.appendChild(document.createElement("div"));
  box.className = "rows";
  let rows: readonly Row[] = [];
  let selected: Entity | undefined;

  const draw = (): void => {
    const first = Math.floor(panel.scrollTop / ROW_HEIGHT);
    const end = first + Math.ceil(panel.clientHeight / ROW_HEIGHT) + 1;
    const elements = rows.slice(first, end).map((row, index) => {
      const { entity } = row;
      const state = { at: first + index, isOpen: open.has(entity), isSelected: entity === selected };
      return elementOf(world, row, state);
    });
    box.style.height = `${rows.length * ROW_HEIGHT}px`;
    box.replaceChildren(...elements);
  };
  const list = (): void => {
    rows = openRows(world, open);
    draw();
  };
  const entityAt = (event: Event): Entity | undefined => rows[Number(rowOf(event)?.dataset.at)]?.entity;

  box.addEventListener("click", (event) => {
    const entity = entityAt(event);
    if (entity === undefined) return;
    if ((event.target as Element).className !== "twisty") return events.select(entity);
    if (!open.delete(entity)) open.add(entity);
    list();
  });
  listenForDrops(box, entityAt, events.drop);
  panel.addEventListener("scroll", draw);
  new ResizeObserver(draw).observe(panel);
  return {
    update: () => {
      if (entities(moved).length > 0) list();
    },
    reveal: (entity) => {
      selected = entity;
      for (let one = parentOf(world, entity); one !== undefined; one = parentOf(world, one)) open.add(one);
      list();
      const top = rows.findIndex((row) => row.entity === entity) * ROW_HEIGHT;
      const isSeen = top >= panel.scrollTop && top + ROW_HEIGHT <= panel.scrollTop + panel.clientHeight;
      if (!isSeen) panel.scrollTop = top - panel.clientHeight / 2;
      draw();
    },
  };
}

/** The row in which something happens. */
function rowOf(event: Event): HTMLElement | null {
  return (event.target as Element).closest<HTMLElement>("[role=treeitem]");
}

function listenForDrops(
  box: HTMLElement,
  entityAt: (event: Event) => Entity | undefined,
  drop: (dragged: Entity, target: Entity) => void,
): void {
  let dragged: Entity | undefined;
  box.addEventListener("dragstart", (event) => {
    dragged = entityAt(event);
  });
  box.addEventListener("dragend", () => {
    dragged = undefined; // also if it was dropped elsewhere
  });
  box.addEventListener("dragover", (event) => {
    if (dragged === undefined) return;
    event.preventDefault(); // it can be dropped here
    rowOf(event)?.classList.add("target");
  });
  box.addEventListener("dragleave", (event) => rowOf(event)?.classList.remove("target"));
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    rowOf(event)?.classList.remove("target");
    const target = entityAt(event);
    if (dragged !== undefined && target !== undefined) drop(dragged, target);
    dragged = undefined;
  });
}

/** The rows of a tree in which some entities are open, from top to bottom. */
function openRows(world: World, open: ReadonlySet<Entity>): Row[] {
  const rows: Row[] = [];
  const waiting = roots(world)
    .map((entity) => ({ entity, level: 0 }))
    .reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { entity, level } = next;
    const below = children(world, entity);
    rows.push({ entity, level, children: below.length });
    if (open.has(entity))
      for (const child of below.toReversed()) waiting.push({ entity: child, level: level + 1 });
  }
  return rows;
}

interface RowState {
  /** Its number from the top. */
  readonly at: number;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
}

function elementOf(world: World, row: Row, { at, isOpen, isSelected }: RowState): HTMLElement {
  const element = document.createElement("div");
  element.role = "treeitem";
  element.ariaLevel = String(row.level + 1);
  element.ariaSelected = String(isSelected);
  if (row.children > 0) element.ariaExpanded = String(isOpen);
  element.draggable = true;
  element.dataset.at = String(at);
  element.style.top = `${at * ROW_HEIGHT}px`;
  element.style.paddingLeft = `${row.level * INDENT + 4}px`;
  element.append(twistyOf(row, isOpen), get(world, row.entity, Name)!, countOf(row));
  return element;
}

function twistyOf(row: Row, isOpen: boolean): HTMLElement {
  const twisty = document.createElement("span");
  twisty.className = "twisty";
  if (row.children > 0) twisty.textContent = isOpen ? "▾" : "▸";
  return twisty;
}

function countOf(row: Row): HTMLElement {
  const count = document.createElement("span");
  count.className = "count";
  if (row.children > 0) count.textContent = ` ${row.children.toLocaleString("en")}`;
  return count;
}
