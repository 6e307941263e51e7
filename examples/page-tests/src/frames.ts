// Frames that a test lets pass, one after another (`holdFrames`, `playFrames`).
import type { BrowserPage } from "./browser.ts";

/** Replaces the frames of the screen by those of `playFrames`, before a page's own scripts. */
export function holdFrames(): void {
  const held: FrameRequestCallback[] = [];
  const page = globalThis as unknown as { frames: FrameRequestCallback[] };
  page.frames = held;
  globalThis.requestAnimationFrame = (frame) => held.push(frame);
}

/** Lets a number of frames pass, each a sixtieth of a second. */
export function playFrames(page: BrowserPage, count: number): Promise<void> {
  return page.evaluate((count) => {
    const { frames, time = 0 } = globalThis as unknown as { frames: FrameRequestCallback[]; time?: number };
    for (let frame = 0; frame < count; frame++) {
      for (const run of frames.splice(0)) run(time + (frame * 1000) / 60);
    }
    Object.assign(globalThis, { time: time + (count * 1000) / 60 });
  }, count);
}
