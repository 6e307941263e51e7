import { ChildOf, createWorld, type Entity, Parent, release, spawn } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { Alias, configureNames, lookup, Name, withScope } from "../../src/index.ts";
import { codeOf } from "../fleet.ts";

/**
 *   Game
 *     Settings
 *       Volume
 *     Level
 *       Settings
 *         Colour
 *       Hero
 *         Hand
 *   Settings
 *     Language
 *   Shelf
 *     Settings
 *       Volume
 *     Spoon
 *   Cellar
 *     Spoon
 */
function game() {
  const world = createWorld();
  const below = (parent: Entity, name: string): Entity => spawn(world, Name(name), ChildOf(parent));
  const root = spawn(world, Name("Game"));
  const gameSettings = below(root, "Settings");
  const volume = below(gameSettings, "Volume");
  const level = below(root, "Level");
  const levelSettings = spawn(world, Name("Settings"), Parent(level));
  const colour = below(levelSettings, "Colour");
  const hero = below(level, "Hero");
  const hand = spawn(world, Name("Hand"), Parent(hero));
  const settings = spawn(world, Name("Settings"));
  const language = below(settings, "Language");
  const shelf = spawn(world, Name("Shelf"));
  const otherVolume = below(below(shelf, "Settings"), "Volume");
  const spoon = below(shelf, "Spoon");
  const cellar = spawn(world, Name("Cellar"));
  const otherSpoon = below(cellar, "Spoon");
  return {
    world,
    root,
    gameSettings,
    volume,
    level,
    levelSettings,
    colour,
    hero,
    hand,
    settings,
    language,
    shelf,
    otherVolume,
    spoon,
    cellar,
    otherSpoon,
  };
}

describe("an upward lookup", () => {
  it("starts with what is below: the nearest wins", () => {
    const { world, level, levelSettings, hero, root, gameSettings, settings } = game();

    expect(lookup(world, "Settings", { from: level, upwards: true })).toBe(levelSettings);
    expect(lookup(world, "Settings", { from: hero, upwards: true })).toBe(levelSettings);
    expect(lookup(world, "Settings", { from: root, upwards: true })).toBe(gameSettings);
    expect(lookup(world, "Settings", { from: settings, upwards: true })).toBe(settings);
  });

  it("tries the whole path again one level higher: a nearer first step alone does not count", () => {
    const { world, hand, colour, volume, language } = game();
    const from = { from: hand, upwards: true };

    expect(lookup(world, "Settings::Colour", from)).toBe(colour);
    expect(lookup(world, "Settings::Volume", from)).toBe(volume);
    expect(lookup(world, "Settings::Language", from)).toBe(language);
    expect(lookup(world, ["Settings", "Language"], from)).toBe(language);
  });

  it("does not mix levels: each try has all of its steps below one entity", () => {
    const { world, hand } = game();

    expect(lookup(world, "Settings::Hero", { from: hand, upwards: true })).toBeUndefined();
    expect(lookup(world, "Settings::Colour::Volume", { from: hand, upwards: true })).toBeUndefined();
  });

  it("finds siblings, ancestors' siblings and the roots, ancestors included", () => {
    const { world, hand, hero, level, root, settings } = game();
    const from = { from: hand, upwards: true };

    expect(["Hero", "Level", "Game"].map((name) => lookup(world, name, from))).toEqual([hero, level, root]);
    expect(lookup(world, "Shelf::Spoon", from)).toBe(lookup(world, "Shelf::Spoon"));
    expect(lookup(world, "Settings", { upwards: true })).toBe(settings);
  });

  it("skips ancestors without names", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"));
    const nameless = spawn(world, ChildOf(ship));
    const hold = spawn(world, Name("Hold"), Parent(ship));
    const crate = spawn(world, Parent(nameless));

    expect(lookup(world, "Hold", { from: crate, upwards: true })).toBe(hold);
    expect(lookup(world, `#${indexOf(nameless)}`, { from: hold, upwards: true })).toBe(nameless);
  });

  it("starts in the scope of withScope when it has no from", () => {
    const { world, level, levelSettings, volume } = game();

    const found = withScope(world, level, () => [
      lookup(world, "Settings", { upwards: true }),
      lookup(world, "Settings::Volume", { upwards: true }),
      lookup(world, "Settings::Volume"),
    ]);

    expect(found).toEqual([levelSettings, volume, undefined]);
  });

  it("finds an alias once it reaches the roots", () => {
    const { world, hand, level } = game();
    const key = spawn(world, Name("Key"), ChildOf(level), Alias("Master"));

    expect(lookup(world, "Master", { from: hand, upwards: true })).toBe(key);
    expect(lookup(world, "Master", { from: hand })).toBeUndefined();
  });

  it("stays at the roots when the path begins with the separator", () => {
    const { world, level, settings } = game();

    expect(lookup(world, "::Settings", { from: level, upwards: true })).toBe(settings);
    expect(lookup(world, "::Hero", { from: level, upwards: true })).toBeUndefined();
  });

  it("climbs a chain of 20,000", () => {
    const world = createWorld();
    const top = spawn(world, Name("Top"));
    let last = top;
    for (let depth = 1; depth < 20_000; depth++) last = spawn(world, ChildOf(last));

    expect(lookup(world, "Top", { from: last, upwards: true })).toBe(top);
    expect(lookup(world, "Bottom", { from: last, upwards: true })).toBeUndefined();
  });

  it.each(["", "a::", "a::::b", "a\\"])("refuses the bad path %j before any search", (path) => {
    const { world } = game();

    expect(codeOf(() => lookup(world, path, { upwards: true }))).toBe("bad-path");
  });
});

describe("a strict lookup", () => {
  it("never leaves the entity it starts from", () => {
    const { world, hero, level } = game();

    expect(lookup(world, "Settings", { from: hero })).toBeUndefined();
    expect(lookup(world, "Hero", { from: hero })).toBeUndefined();
    expect(lookup(world, "Game::Level", { from: level, upwards: false })).toBeUndefined();
  });

  it("ignores the world's search scopes", () => {
    const { world, shelf, hero } = game();
    configureNames(world, { search: [shelf] });

    expect(lookup(world, "Spoon")).toBeUndefined();
    expect(lookup(world, "Spoon", { from: hero })).toBeUndefined();
  });
});

describe("search scopes", () => {
  it("are searched after the roots, the last one first", () => {
    const { world, hero, shelf, cellar, spoon, otherSpoon } = game();

    configureNames(world, { search: [shelf, cellar] });
    const cellarFirst = lookup(world, "Spoon", { from: hero, upwards: true });
    configureNames(world, { search: [cellar, shelf] });
    const shelfFirst = lookup(world, "Spoon", { from: hero, upwards: true });

    expect([cellarFirst, shelfFirst]).toEqual([otherSpoon, spoon]);
  });

  it("come after everything that is found on the way up, and try the whole path", () => {
    const { world, hero, hand, shelf, volume, otherVolume, root } = game();
    configureNames(world, { search: [shelf] });

    expect(lookup(world, "Settings::Volume", { from: hero, upwards: true })).toBe(volume);
    expect(lookup(world, "Settings::Volume", { upwards: true })).toBe(otherVolume);
    release(world, hand);
    release(world, volume);
    expect(lookup(world, "Settings::Volume", { from: root, upwards: true })).toBe(otherVolume);
  });

  it("are not searched upwards", () => {
    const { world, level, root } = game();
    const other = createWorld();
    spawn(other);
    configureNames(world, { search: [level] });

    expect(lookup(world, "Level", { upwards: true })).toBeUndefined();
    expect(lookup(world, "Level", { from: root, upwards: true })).toBe(level);
  });

  it("that were destroyed are skipped, and so is an entity that reuses their index", () => {
    const { world, shelf, cellar, spoon } = game();
    const destroyed = spawn(world, Name("Dead"));
    configureNames(world, { search: [shelf, destroyed] });
    release(world, destroyed);
    let heir = spawn(world);
    for (let round = 0; indexOf(heir) !== indexOf(destroyed) && round < 10_000; round++) {
      release(world, heir);
      heir = spawn(world);
    }
    spawn(world, Name("Spoon"), ChildOf(heir));

    expect(indexOf(heir)).toBe(indexOf(destroyed));
    expect(lookup(world, "Spoon", { upwards: true })).toBe(spoon);
    expect(lookup(world, "Spoon", { search: [destroyed] })).toBeUndefined();
    expect(lookup(world, "Spoon", { search: [cellar, destroyed, 0 as Entity] })).toBeDefined();
  });

  it("of a call replace the world's, also when there are none", () => {
    const { world, shelf, cellar, spoon, otherSpoon } = game();
    configureNames(world, { search: [shelf] });

    expect(lookup(world, "Spoon", { upwards: true })).toBe(spoon);
    expect(lookup(world, "Spoon", { upwards: true, search: [cellar] })).toBe(otherSpoon);
    expect(lookup(world, "Spoon", { upwards: true, search: [] })).toBeUndefined();
    expect(lookup(world, "Spoon", { upwards: true, search: undefined })).toBe(spoon);
  });

  it("of a call are searched without upwards as well, right after its start", () => {
    const { world, hero, shelf, cellar, spoon, otherSpoon } = game();
    configureNames(world, { search: [shelf] });

    expect(lookup(world, "Spoon", { from: hero, search: [cellar] })).toBe(otherSpoon);
    expect(lookup(world, "Shelf", { from: hero, search: [cellar] })).toBeUndefined();
    expect(lookup(world, "Spoon", { from: shelf, search: [cellar] })).toBe(spoon);
  });

  it("are not searched for a path that begins with the separator", () => {
    const { world, shelf } = game();

    expect(lookup(world, "::Spoon", { upwards: true, search: [shelf] })).toBeUndefined();
  });

  it("are copied: a list that is changed later changes nothing", () => {
    const { world, shelf, cellar, spoon } = game();
    const search = [shelf];
    configureNames(world, { search });

    search.push(cellar);

    expect(lookup(world, "Spoon", { upwards: true })).toBe(spoon);
  });

  it("find no alias: they are not the roots", () => {
    const { world, shelf, hero } = game();
    const fork = spawn(world, ChildOf(shelf), Alias("Fork"));

    expect(lookup(world, "Fork", { from: hero, search: [shelf] })).toBeUndefined();
    expect(lookup(world, "Fork", { search: [shelf] })).toBe(fork);
  });

  it("may have children found by index", () => {
    const { world, shelf, spoon, hero } = game();

    expect(lookup(world, `#${indexOf(spoon)}`, { from: hero, search: [shelf] })).toBe(spoon);
    expect(lookup(world, `#${indexOf(hero)}`, { from: hero, search: [shelf] })).toBeUndefined();
  });
});
