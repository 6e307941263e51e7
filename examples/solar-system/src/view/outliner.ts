import { ChildOf, type Entity, get, parentOf, type World } from "@treeline/core";
import { Name } from "@treeline/names";
import { changed, children, entities, query, roots } from "@treeline/query";

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
  let dragged: Entity | undefined;

  const draw = (): void => {
    const first = Math.floor(panel.scrollTop / ROW_HEIGHT);
    const end = first + Math.ceil(panel.clientHeight / ROW_HEIGHT) + 1;
    box.style.height = `${rows.length * ROW_HEIGHT}px`;
    box.replaceChildren(...rows.slice(first, end).map((row, at) => elementOf(row, first + at)));
  };
  const list = (): void => {
    rows = openRows(world, open);
    draw();
  };
  const toggle = (entity: Entity): void => {
    if (!open.delete(entity)) open.add(entity);
    list();
  };
  const elementOf = (row: Row, at: number): HTMLElement => {
    const { entity } = row;
    const element = rowElement(world, row, { at, isOpen: open.has(entity), isSelected: entity === selected });
    element.addEventListener("click", ({ target }) => {
      if ((target as Element).className === "twisty") toggle(entity);
      else events.select(entity);
    });
    element.addEventListener("dragstart", () => {
      dragged = entity;
    });
    element.addEventListener("dragover", (event) => {
      if (dragged === undefined) return;
      event.preventDefault(); // it can be dropped here
      element.classList.add("target");
    });
    element.addEventListener("dragleave", () => element.classList.remove("target"));
    element.addEventListener("drop", (event) => {
      event.preventDefault();
      element.classList.remove("target");
      if (dragged !== undefined) events.drop(dragged, entity);
      dragged = undefined;
    });
    return element;
  };

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

function rowElement(world: World, row: Row, { at, isOpen, isSelected }: RowState): HTMLElement {
  const element = document.createElement("div");
  element.role = "treeitem";
  element.ariaLevel = String(row.level + 1);
  element.ariaSelected = String(isSelected);
  if (row.children > 0) element.ariaExpanded = String(isOpen);
  element.draggable = true;
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
