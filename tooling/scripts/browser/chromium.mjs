// Finds Chromium: the one that CHROMIUM names, or one with a usual name.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { HUNG } from "../tests/limits.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome.exe"];
const USUAL_PLACES = [
  "/snap/bin/chromium",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** @returns `{ path }`, or `{ missing }` with what to do. */
export function findChromium() {
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM) {
    const { status, error } = spawnSync(CHROMIUM, ["--version"], { encoding: "utf8", timeout: HUNG });
    return status === 0
      ? { path: CHROMIUM }
      : {
          missing: `CHROMIUM is ${CHROMIUM}, which does not run (${error?.code ?? `it ended with ${status}`})`,
        };
  }
  const places = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const path = [...places, ...USUAL_PLACES].find(existsSync);
  return path === undefined
    ? {
        missing:
          "it is not installed; install it (on Debian and Ubuntu: apt-get install chromium), or set CHROMIUM to its path",
      }
    : { path };
}
