// The field for patterns and its list (`Finder`).
import { type Entity, pathOf, type World } from "treeline";
import { find } from "../model/find.ts";
import { at, element, write } from "./elements.ts";

/** The list ends here; its last line says how many more there are. */
const MOST = 100;

export interface FinderEvents {
  readonly found: (entities: readonly Entity[]) => void;
  readonly select: (entity: Entity) => void;
}

/** The field for patterns, and the list of what they match. */
export class Finder {
  private readonly field = at<HTMLInputElement>("find");
  private readonly count = at("found");
  private readonly list = at("results");
  private readonly events: FinderEvents;
  private world: World | undefined;

  constructor(events: FinderEvents) {
    this.events = events;
    this.field.addEventListener("input", () => this.search());
  }

  show(world: World): void {
    this.world = world;
    this.search();
  }

  private search(): void {
    const text = this.field.value.trim();
    const { entities, problem } = find(this.world!, text);
    write(this.count, text === "" ? "" : (problem ?? counted(entities.length)));
    const rows = entities.slice(0, MOST).map((entity) => element("li", {}, this.buttonOf(entity)));
    if (entities.length > MOST) rows.push(element("li", {}, `and ${entities.length - MOST} more`));
    this.list.replaceChildren(...rows);
    this.list.hidden = rows.length === 0;
    this.events.found(entities);
  }

  private buttonOf(entity: Entity): HTMLButtonElement {
    const button = element("button", { type: "button", textContent: pathOf(this.world!, entity) });
    button.addEventListener("click", () => this.events.select(entity));
    return button;
  }
}

const counted = (count: number): string =>
  count === 1 ? "1 entity" : `${count.toLocaleString("en")} entities`;
