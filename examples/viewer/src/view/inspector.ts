// Path, name and place of the selection, and how they are changed (`Inspector`).
import { type Entity, get, isAlive, Name, pathOf, rename, TreelineError, type World } from "treeline";
import { objectOf } from "treeline/three";
import { type Numbers, type PlacementPart, placementOf, setPlacement } from "../model/placement.ts";
import { element, write } from "./elements.ts";

const PARTS: Readonly<Record<PlacementPart, string>> = {
  position: "Position",
  rotation: "Rotation °",
  scale: "Scale",
};
const AXES = ["x", "y", "z"] as const;

export interface InspectorEvents {
  /** Something of the selected entity has been changed. */
  readonly changed: () => void;
  readonly remove: (entity: Entity) => void;
}

/** What is known of the selected entity: its path, its name, and where it is, as numbers that one can change. */
export class Inspector {
  private readonly path = element("output", { id: "path", ariaLabel: "Path" });
  private readonly kind = element("output", { ariaLabel: "Kind" });
  private readonly name = element("input", { id: "name", ariaLabel: "Name", autocomplete: "off" });
  private readonly problem = element("p", { role: "alert", hidden: true });
  private readonly fields = new Map<PlacementPart, readonly HTMLInputElement[]>();
  private readonly events: InspectorEvents;
  private world: World | undefined;
  private entity: Entity | undefined;

  constructor(place: HTMLElement, events: InspectorEvents) {
    this.events = events;
    const copy = element("button", { type: "button", id: "copy", textContent: "Copy path" });
    copy.addEventListener("click", () => this.copy(copy));
    const remove = element("button", { type: "button", id: "remove", textContent: "Delete" });
    remove.addEventListener("click", () => this.entity !== undefined && events.remove(this.entity));
    this.name.addEventListener("change", () => this.rename());
    const rows = Object.entries(PARTS).map(([part, text]) => this.rowOf(part as PlacementPart, text));
    place.append(
      this.path,
      element("div", { className: "line" }, copy, remove, this.kind),
      element("label", { className: "line" }, "Name ", this.name),
      ...rows,
      this.problem,
    );
  }

  show(world: World, entity: Entity): void {
    this.world = world;
    this.entity = entity;
    this.problem.hidden = true;
    this.update();
  }

  /** Call it when the world has changed. A field that is being written in keeps its text. */
  update(): void {
    const { world, entity } = this;
    if (world === undefined || entity === undefined || !isAlive(world, entity)) return;
    write(this.path, pathOf(world, entity));
    write(this.kind, objectOf(world, entity)?.type ?? "");
    setText(this.name, get(world, entity, Name) ?? "");
    const placement = placementOf(world, entity);
    for (const [part, inputs] of this.fields)
      for (const [axis, input] of inputs.entries()) {
        input.disabled = placement === undefined;
        setText(input, placement === undefined ? "" : numberText(placement[part][axis]!));
      }
  }

  private rowOf(part: PlacementPart, text: string): HTMLElement {
    const inputs = AXES.map((axis) =>
      element("input", { type: "number", step: "any", ariaLabel: `${text} ${axis}` }),
    );
    this.fields.set(part, inputs);
    const row = element("div", { className: "numbers" }, element("span", {}, text), ...inputs);
    row.addEventListener("change", () => {
      const numbers = inputs.map(({ valueAsNumber }) => valueAsNumber);
      if (numbers.every(Number.isFinite))
        this.attempt((world, entity) => setPlacement(world, entity, part, numbers as unknown as Numbers));
    });
    return row;
  }

  private rename(): void {
    this.attempt((world, entity) => rename(world, entity, this.name.value));
  }

  /** Changes the world. A refusal of Treeline is shown as it is: its messages are written for people. */
  private attempt(change: (world: World, entity: Entity) => void): void {
    const { world, entity, problem } = this;
    if (world === undefined || entity === undefined) return;
    try {
      change(world, entity);
      problem.hidden = true;
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error;
      problem.textContent = error.message;
      problem.hidden = false;
    }
    this.events.changed();
  }

  private async copy(button: HTMLElement): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.path.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection()?.selectAllChildren(this.path); // not allowed here: at least one key less
      button.textContent = "Selected";
    }
    button.addEventListener("blur", () => write(button, "Copy path"), { once: true });
  }
}

function setText(input: HTMLInputElement, text: string): void {
  if (document.activeElement !== input && input.value !== text) input.value = text;
}

const numberText = (number: number): string => String(Number(number.toFixed(4)));
