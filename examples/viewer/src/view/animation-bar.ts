// The list of animations, play, pause and time (`AnimationBar`).
import type { Player } from "../model/player.ts";
import { element, write } from "./elements.ts";

/** The animations of a file: which one, where it is, and whether it plays. */
export class AnimationBar {
  private readonly place: HTMLElement;
  private readonly choice = element("select", { ariaLabel: "Animation" });
  private readonly play = element("button", { type: "button", id: "play", textContent: "Play" });
  private readonly time = element("input", { type: "range", min: "0", step: "any", ariaLabel: "Time" });
  private readonly seconds = element("output", { id: "seconds" });
  private player: Player | undefined;

  /** @param changed is called after each use. */
  constructor(place: HTMLElement, changed: () => void) {
    this.place = place;
    place.append(this.play, this.choice, this.time, this.seconds);
    this.play.addEventListener("click", () => this.player && this.toggle(this.player));
    this.choice.addEventListener("change", () =>
      this.player?.choose(this.player.clips[this.choice.selectedIndex]!),
    );
    this.time.addEventListener("input", () => this.player?.seek(this.time.valueAsNumber));
    for (const type of ["click", "input", "change"]) place.addEventListener(type, changed);
  }

  show(player: Player): void {
    this.player = player;
    this.place.hidden = player.clips.length === 0;
    const names = player.clips.map(({ name }, at) =>
      element("option", { textContent: name || `Animation ${at + 1}` }),
    );
    this.choice.replaceChildren(...names);
    this.update();
  }

  /** Call it in each frame that is drawn. */
  update(): void {
    const { clip, time, isPlaying } = this.player!;
    write(this.play, isPlaying ? "Pause" : "Play");
    this.time.max = String(clip?.duration ?? 0);
    this.time.valueAsNumber = time;
    write(this.seconds, `${time.toFixed(2)} of ${(clip?.duration ?? 0).toFixed(2)} s`);
  }

  private toggle(player: Player): void {
    player.isPlaying = !player.isPlaying;
  }
}
