// The time in the page: `SPEEDS`, pausing, its text (`timeText`).
import { DAY } from "./orbits.ts";

/** The time in the page. */
export interface Clock {
  /** Since J2000. */
  seconds: number;
  /** An index of `SPEEDS`. */
  speed: number;
  isPaused: boolean;
}

/** Noon of 1 January 2000. */
const J2000 = Date.UTC(2000, 0, 1, 12);

/** What passes in the page while a second passes outside. */
export const SPEEDS: readonly { readonly seconds: number; readonly name: string }[] = [
  { seconds: 1, name: "real time" },
  { seconds: 60, name: "a minute a second" },
  { seconds: 3_600, name: "an hour a second" },
  { seconds: DAY, name: "a day a second" },
  { seconds: 10 * DAY, name: "10 days a second" },
  { seconds: 100 * DAY, name: "100 days a second" },
  { seconds: 365.25 * DAY, name: "a year a second" },
];

export function clockAt(date: Date): Clock {
  return { seconds: (date.getTime() - J2000) / 1_000, speed: 4, isPaused: false };
}

export function advance(clock: Clock, milliseconds: number): void {
  if (!clock.isPaused) clock.seconds += (milliseconds / 1_000) * SPEEDS[clock.speed]!.seconds;
}

/** @param by 1 for faster, -1 for slower. */
export function changeSpeed(clock: Clock, by: number): void {
  clock.speed = Math.min(Math.max(clock.speed + by, 0), SPEEDS.length - 1);
}

export function timeText(clock: Clock): string {
  const date = new Date(J2000 + clock.seconds * 1_000).toISOString();
  return `${date.slice(0, 10)} ${date.slice(11, 16)}`;
}

export function speedText({ isPaused, speed }: Clock): string {
  return isPaused ? "paused" : SPEEDS[speed]!.name;
}
