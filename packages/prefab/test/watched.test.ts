import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe } from "vitest";
import { setWatching } from "./cases/fixture.ts";

const cases = readdirSync(new URL("cases", import.meta.url)).filter((name) => name.endsWith(".test.ts"));

/** All cases again: observers change how a prefab is edited, and must not change what comes of it. */
describe("while monitors watch", async () => {
  beforeAll(() => setWatching(true));
  afterAll(() => setWatching(false));
  for (const name of cases) await import(`./cases/${name}?watched`);
});
