// The tree of a world in a panel (`Outliner`): the rows in sight, opening them, keys, when they are listed again.
import {
  Any,
  ChildOf,
  type Entity,
  get,
  isAlive,
  Name,
  observe,
  parentOf,
  roots,
  type World,
} from "treeline";
import { listenForDrops } from "./drops.ts";
import { openRows, type Row, rowAfterKey } from "./tree-rows.ts";
import { placeOfTyped, TypedText } from "./typed-text.ts";

const ROW_HEIGHT = 22; // as in outliner.css
const INDENT = 14;

export interface OutlinerEvents {
  readonly select: (entity: Entity) => void;
  /** An entity has been dropped on another one. */
  readonly drop: (dragged: Entity, target: Entity) => void;
  /** The Delete key has been pressed. */
  readonly remove?: (entity: Entity) => void;
}

/**
 * The tree of a world in a panel, by the tree pattern of ARIA: arrows, Home, End, pages, letters. Only rows in sight are elements, so that
 * thousands of children are none.
 */
export class Outliner {
  private readonly panel: HTMLElement;
  private readonly events: OutlinerEvents;
  private readonly box: HTMLElement;
  private readonly typed = new TypedText();
  private readonly open = new Set<Entity>();
  private world: World | undefined;
  private stopObserving = (): void => {};
  private rows: readonly Row[] = [];
  private selected: Entity | undefined;
  private marked: ReadonlySet<Entity> = new Set();
  /** The tree, or a name in it, has changed since the rows were listed. */
  private isStale = false;

  /** @param panel with the role `tree`, and a label. */
  constructor(panel: HTMLElement, events: OutlinerEvents) {
    this.panel = panel;
    this.events = events;
    this.box = panel.appendChild(document.createElement("div"));
    this.box.className = "rows";
    this.box.role = "presentation";
    panel.classList.add("outliner");
    panel.tabIndex = 0;
    panel.addEventListener("keydown", (event) => this.press(event));
    panel.addEventListener("scroll", () => this.draw());
    this.box.addEventListener("click", (event) => this.click(event));
    listenForDrops(this.box, (event) => this.entityAt(event), events.drop);
    new ResizeObserver(() => this.draw()).observe(panel);
  }

  /** Shows another world, with its roots open. */
  show(world: World): void {
    this.stopObserving();
    this.world = world;
    this.selected = undefined;
    this.marked = new Set();
    this.open.clear();
    for (const root of roots(world)) this.open.add(root);
    const touch = (): void => {
      this.isStale = true;
    };
    const moved = observe(world, { added: ChildOf(Any), removed: ChildOf(Any) }, touch);
    const named = observe(world, { added: Name, removed: Name, set: Name }, touch);
    this.stopObserving = () => {
      moved();
      named();
    };
    this.panel.scrollTop = 0;
    this.list();
  }

  /** Call it in each frame: it draws again only if the tree or a name has changed. */
  update(): void {
    if (this.isStale) this.list();
  }

  /** Selects an entity, opens what is above it, and scrolls to it. */
  reveal(entity: Entity): void {
    const world = this.world!;
    this.selected = entity;
    for (let one = parentOf(world, entity); one !== undefined; one = parentOf(world, one)) this.open.add(one);
    this.list();
    const top = this.placeOf(entity) * ROW_HEIGHT;
    const isSeen =
      top >= this.panel.scrollTop && top + ROW_HEIGHT <= this.panel.scrollTop + this.panel.clientHeight;
    if (!isSeen) this.panel.scrollTop = top - this.panel.clientHeight / 2;
    this.draw();
  }

  /** Shows which entities were found. */
  mark(entities: ReadonlySet<Entity>): void {
    this.marked = entities;
    this.draw();
  }

  private list(): void {
    this.isStale = false;
    for (const entity of this.open) if (!isAlive(this.world!, entity)) this.open.delete(entity);
    this.rows = openRows(this.world!, this.open);
    this.draw();
  }

  private draw(): void {
    if (this.world === undefined) return;
    const first = Math.floor(this.panel.scrollTop / ROW_HEIGHT);
    const end = first + Math.ceil(this.panel.clientHeight / ROW_HEIGHT) + 1;
    const elements = this.rows.slice(first, end).map((row, index) => this.elementOf(row, first + index));
    const active = elements.find(({ ariaSelected }) => ariaSelected === "true");
    this.box.style.height = `${this.rows.length * ROW_HEIGHT}px`;
    this.box.replaceChildren(...elements);
    if (active === undefined) this.panel.removeAttribute("aria-activedescendant");
    else this.panel.setAttribute("aria-activedescendant", active.id);
  }

  private click(event: MouseEvent): void {
    const entity = this.entityAt(event);
    if (entity === undefined) return;
    if ((event.target as Element).className === "twisty") this.toggle(entity, !this.open.has(entity));
    else this.events.select(entity);
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.placeOf(this.selected);
    const row = this.rows[at];
    const page = Math.max(1, Math.floor(this.panel.clientHeight / ROW_HEIGHT) - 1);
    const { key } = event;
    const isClosed = row !== undefined && row.children > 0 && !this.open.has(row.entity);
    if (row !== undefined && key === "ArrowRight" && isClosed) this.toggle(row.entity, true);
    else if (row !== undefined && key === "ArrowLeft" && row.children > 0 && !isClosed)
      this.toggle(row.entity, false);
    else if (row !== undefined && key === "*") this.openSiblings(row);
    else if (row !== undefined && key === "Delete") this.events.remove?.(row.entity);
    else {
      const next = rowAfterKey(this.rows, at, key, page) ?? this.rowTyped(event, at);
      if (next === undefined) return;
      this.events.select(next.entity);
    }
    event.preventDefault();
    event.stopPropagation(); // keys of the page do not mean the tree
  }

  private rowTyped({ key, timeStamp }: KeyboardEvent, at: number): Row | undefined {
    if (key.length !== 1 || key === " ") return undefined;
    const textAt = (place: number): string => this.textOf(this.rows[place]!.entity);
    return this.rows[placeOfTyped(this.rows.length, textAt, at, this.typed.add(key, timeStamp))];
  }

  private toggle(entity: Entity, isOpen: boolean): void {
    if (isOpen) this.open.add(entity);
    else this.open.delete(entity);
    this.list();
  }

  private openSiblings({ entity, level }: Row): void {
    const parent = parentOf(this.world!, entity);
    for (const row of this.rows)
      if (row.level === level && parentOf(this.world!, row.entity) === parent) this.open.add(row.entity);
    this.list();
  }

  private placeOf(entity: Entity | undefined): number {
    return this.rows.findIndex((row) => row.entity === entity);
  }

  private entityAt(event: Event): Entity | undefined {
    const element = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
    return this.rows[Number(element?.dataset.at)]?.entity;
  }

  private textOf(entity: Entity): string {
    return get(this.world!, entity, Name) ?? "(no name)";
  }

  private elementOf(row: Row, at: number): HTMLElement {
    const { entity } = row;
    const element = document.createElement("div");
    element.role = "treeitem";
    element.id = `row-${at}`;
    element.ariaLevel = String(row.level);
    element.ariaPosInSet = String(row.place);
    element.ariaSetSize = String(row.siblings);
    element.ariaSelected = String(entity === this.selected);
    element.classList.toggle("found", this.marked.has(entity));
    const isOpen = this.open.has(entity);
    if (row.children > 0) element.ariaExpanded = String(isOpen);
    element.draggable = true;
    element.dataset.at = String(at);
    element.style.top = `${at * ROW_HEIGHT}px`;
    element.style.paddingLeft = `${(row.level - 1) * INDENT + 4}px`;
    element.append(
      part("twisty", row.children === 0 ? "" : isOpen ? "▾" : "▸"),
      this.textOf(entity),
      part("count", row.children === 0 ? "" : ` ${row.children.toLocaleString("en")}`),
    );
    return element;
  }
}

function part(name: string, text: string): HTMLElement {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}
