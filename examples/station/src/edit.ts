// What is edited in one run, and the proof that rooms followed and kept what is their own (`editModules`).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Any,
  type Component,
  createWorld,
  descendants,
  type Entity,
  get,
  has,
  pairsOf,
  pathOf,
  type World,
} from "treeline";
import { fromDocument, toDocument, writeJson } from "treeline/document/json";
import { checksum, keep, rollBack, snapshotRing } from "treeline/document/snapshot";
import { IsA, overridesOf } from "treeline/prefab";
import { loadPrefabs, prefabs } from "treeline/prefab/document";
import { drawStation } from "./draw.ts";
import { type Game, gameOf, playFrame } from "./frame.ts";
import { readModules, readText, reload } from "./modules.ts";
import { Air, DEFINITIONS, Door, Feeds, Plant, Room } from "./station.ts";

/** Frames before the edit, and after it. */
const FRAMES = 30;

/** A part of a module, as far as it is edited here. */
interface Part {
  name: string;
  components: { [name: string]: { [field: string]: unknown } };
  readonly children: Part[];
}

/**
 * Edits modules in their files while the station runs, and proves that its rooms followed while what is their own stayed. Rolls back to before the
 * edit, plays all of it again, and proves that it comes to the same.
 *
 * @param folder the modules that the station is of; two of them are written.
 * @returns whether all of it held.
 */
export function editModules(game: Game, folder: string, line: (text: string) => void): boolean {
  const { world, station } = game;
  const frames = snapshotRing(world, { frames: 2 * FRAMES });
  const play = (): void => {
    for (let at = 0; at < FRAMES; at++) {
      keep(frames);
      playFrame(game);
    }
  };
  const sum = (): string => checksum(world).toString(16).padStart(8, "0");
  const first = sum();
  play();
  const was = readModules(folder);
  const saved = writeJson(toDocument(world, { all: true, prefabs }));
  const [own, contents] = [ownIn(world, station), contentsOf(world, station)];

  // Another plant and more oxygen; another name for a part of the tank.
  editFile(folder, "garden", (garden) => {
    garden.children[0]!.components.Plant!.oxygen = 0.6;
    garden.children.push({ name: "Moss", components: { Plant: { oxygen: 0.2 } }, children: [] });
  });
  editFile(folder, "tank", (tank) => {
    tank.children[0]!.name = "Sun lamp";
  });
  const { lines, modules } = reload(world, folder, was);
  for (const text of lines) line(`edited       ${text}`);

  // What rooms must have come to: the station from before the edit, in a world that has had no other modules.
  const other = createWorld();
  loadPrefabs(other, modules, { definitions: DEFINITIONS });
  fromDocument(other, saved, { definitions: DEFINITIONS, prefabs });
  const now = contentsOf(world, station);
  const isFollowed = !areEqual(now, contents) && areEqual(now, contentsOf(other, gameOf(other).station));
  line(`followed     the rooms are ${isFollowed ? "as" : "NOT as"} in a new world with these modules`);
  const isKept = own.length > 0 && areEqual(ownIn(world, station), own);
  line(`kept         ${own.length} overrides and attached entities, ${isKept ? "the same" : "NOT the same"}`);

  play();
  const played = sum();
  const drawn = drawStation(world, station);
  rollBack(frames, 2 * FRAMES);
  const isBack = sum() === first;
  line(`rolled back  to before the edit: checksum ${sum()}, ${isBack ? "the same" : "ANOTHER"}`);
  play();
  reload(world, folder, was);
  play();
  const isReplayed = sum() === played;
  line(`replayed     with the edit: checksum ${sum()}, ${isReplayed ? "the same" : "ANOTHER"}\n`);
  for (const text of drawn) line(text);
  return isFollowed && isKept && isBack && isReplayed;
}

function editFile(folder: string, key: string, edit: (root: Part) => void): void {
  const path = join(folder, `${key}.json`);
  const document = JSON.parse(readText(path));
  edit(document.entities[0]);
  writeFileSync(path, JSON.stringify(document, undefined, 2));
}

/** What instances have otherwise than their modules: overrides with their values, and attached entities. */
function ownIn(world: World, station: Entity): string[] {
  const roots = descendants(world, station).filter((one) => has(world, one, IsA(Any)));
  const texts = roots.flatMap((root) =>
    overridesOf(world, root).map(({ kind, entity, definition, target, fields }) => {
      const isValue = kind === "value" && target === undefined;
      const value = isValue ? get(world, entity, definition as Component) : target && pathOf(world, target);
      return `${kind} ${pathOf(world, entity)} ${definition?.name} ${fields.join()} ${JSON.stringify(value)}`;
    }),
  );
  return [...new Set(texts)].sort();
}

/** All below a station: values and pairs by path, in any order. */
function contentsOf(world: World, station: Entity): string[] {
  return descendants(world, station)
    .map((one) => {
      const values = [Room, Air, Plant].map((component) => get(world, one, component as Component));
      const pairs = [Door, Feeds].flatMap((relation) =>
        pairsOf(world, one, relation).map(
          ({ target, value }) => `${relation.name} ${pathOf(world, target)} ${JSON.stringify(value)}`,
        ),
      );
      return JSON.stringify([pathOf(world, one), values, pairs.sort()]);
    })
    .sort();
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}
