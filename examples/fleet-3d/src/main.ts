// A world with a fleet and its battle, shown by the page.
import { createWorld } from "treeline";
import { spawnFleet } from "./model/spawn.ts";
import { Battle } from "./model/step.ts";
import { FleetPage } from "./view/page.ts";

const world = createWorld();
spawnFleet(world);
const page = new FleetPage(world, new Battle(world));
page.start(new URLSearchParams(location.search).has("paused"));
