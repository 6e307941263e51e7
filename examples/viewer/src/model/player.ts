// Which animation is shown, and its time (`Player`).
import type { World } from "treeline";
import { applyClip, type Clip } from "treeline/three";

/** Which animation is shown, and where it is. */
export class Player {
  private readonly world: World;
  readonly clips: readonly Clip[];
  clip: Clip | undefined;
  /** In seconds, from 0 to the duration of the clip. */
  time = 0;
  isPlaying = false;

  constructor(world: World, clips: readonly Clip[]) {
    this.world = world;
    this.clips = clips;
    this.clip = clips[0];
  }

  choose(clip: Clip): void {
    this.clip = clip;
    this.seek(0);
  }

  /** Shows the clip at a time. */
  seek(time: number): void {
    if (this.clip === undefined) return;
    this.time = Math.min(Math.max(time, 0), this.clip.duration);
    applyClip(this.world, this.clip, this.time);
  }

  /** Plays on, again and again. @param seconds since the last call. */
  advance(seconds: number): void {
    if (!this.isPlaying || this.clip === undefined) return;
    const { duration } = this.clip;
    this.seek(duration === 0 ? 0 : (this.time + seconds) % duration);
  }
}
