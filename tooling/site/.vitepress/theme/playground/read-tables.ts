/** What a world contains, as data for a picture. The text of `readTables` runs in the frame, so it uses nothing from outside. */

export interface TableRow {
  /** The path of the entity, as `dump` shows it. */
  readonly entity: string;
  /** A text for each column of the archetype; empty if the entity has no value there. */
  readonly values: readonly string[];
  /** What is stored by row instead of in the type of the table: parents by value, tags as bits, sparse components. */
  readonly own: readonly string[];
}

export interface TablePicture {
  /** As in `dump`: 9 of `t9`. */
  readonly number: number;
  /** The pairs of its type: relation and path of the target. */
  readonly pairs: readonly (readonly [relation: string, target: string])[];
  readonly count: number;
  /** 0 for entities without a parent. */
  readonly depth: number;
  /** The first ones. */
  readonly rows: readonly TableRow[];
}

export interface ArchetypePicture {
  readonly number: number;
  readonly relations: readonly string[];
  readonly columns: readonly { readonly name: string; readonly fields: readonly string[] }[];
  readonly tags: readonly string[];
  readonly rows: number;
  readonly tables: readonly TablePicture[];
  /** How many tables it has beside those. */
  readonly moreTables: number;
}

export interface WorldPicture {
  readonly entities: number;
  readonly tables: number;
  readonly archetypes: readonly ArchetypePicture[];
  /** What `dump` returns, as far as it is shown. */
  readonly text: string;
}

interface Definition {
  readonly name: string;
  readonly kind: "component" | "tag" | "relation";
  readonly fields: readonly (readonly [string, unknown])[];
}
interface Archetype {
  readonly number: number;
  readonly rows: number;
  readonly definitions: readonly Definition[];
  readonly hasValueParent: boolean;
}

/** What it uses of `@treeline/core`, its `internal` and its `debug`. */
export interface TableReaders {
  readonly core: {
    get(world: unknown, entity: number, definition: Definition): unknown;
    parentOf(world: unknown, entity: number): number | undefined;
    targetsOf(world: unknown, entity: number, relation: Definition): readonly number[];
  };
  readonly internal: {
    allArchetypes(world: unknown): readonly Archetype[];
    definitionsAt(world: unknown, index: number): readonly Definition[];
    entitiesIn(world: unknown, isIncluded: (archetype: Archetype) => boolean): readonly number[];
    handleOf(world: unknown, index: number): number;
    isInternal(definition: Definition): boolean;
    tableAt(world: unknown, index: number): number;
    textOf(world: unknown, entity: number): string;
  };
  readonly debug: { dump(world: unknown): string };
}

/** Reads archetypes with rows, the tables inside them, and the first entities of these. */
export function readTables(
  world: unknown,
  { core, internal, debug }: TableReaders,
  format: (value: unknown) => string,
): WorldPicture {
  const MOST_ROWS = 8;
  const MOST_TABLES = 24;
  const MOST_LINES = 300;
  const MOST_NUMBERS = 4; // of an array
  const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
  /** Numbers with as many digits as one reads. */
  const textOf = (value: unknown): string => {
    if (typeof value === "number") return String(Number(value.toPrecision(6)));
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      const list = value as Float32Array;
      const first = Array.from(list.subarray(0, MOST_NUMBERS), (one) => Number(Number(one).toPrecision(3)));
      return `[${first.join(" ")}${list.length > MOST_NUMBERS ? ` … ${list.length}` : ""}]`;
    }
    return format(value);
  };
  let entities = 0;
  let tables = 0;

  const archetypes = internal
    .allArchetypes(world)
    .filter(({ rows }) => rows > 0)
    .map((archetype): ArchetypePicture => {
      const shown = archetype.definitions.filter((definition) => !internal.isInternal(definition));
      const isByValue = ({ name }: Definition): boolean => archetype.hasValueParent && name === "Parent";
      const relations = shown.filter((one) => one.kind === "relation" && !isByValue(one));
      // Long arrays come last: a matrix takes the room of three others, and tells least.
      const [firstIndex] = internal.entitiesIn(world, (one) => one === archetype);
      const longest = (one: Definition): number => {
        const value = core.get(world, internal.handleOf(world, firstIndex!), one);
        if (typeof value !== "object" || value === null) return 0;
        if (ArrayBuffer.isView(value)) return (value as Float32Array).length;
        return Math.max(
          0,
          ...Object.values(value).map((part) =>
            ArrayBuffer.isView(part) ? (part as Float32Array).length : 0,
          ),
        );
      };
      const isLong = (one: Definition): number => Number(longest(one) > MOST_NUMBERS);
      const components = shown
        .filter(({ kind }) => kind === "component")
        .sort((one, other) => isLong(one) - isLong(other));
      const textOfValue = (entity: number, one: Definition): string => {
        const value = core.get(world, entity, one);
        const names = one.fields.map(([name]) => name).filter((name) => name !== "");
        if (names.length === 0) return short(textOf(value)); // its value has no fields
        return short(names.map((name) => textOf((value as Record<string, unknown>)[name])).join(", "));
      };
      const targetsOf = (entity: number, relation: Definition): string[] =>
        core.targetsOf(world, entity, relation).map((target) => internal.textOf(world, target));
      const rowOf = (index: number): TableRow => {
        const entity = internal.handleOf(world, index);
        const own = internal
          .definitionsAt(world, index)
          .filter((one) => isByValue(one) || !archetype.definitions.includes(one));
        return {
          entity: internal.textOf(world, entity),
          values: components.map((one) => textOfValue(entity, one)),
          own: own.flatMap((one) => {
            if (one.kind === "tag") return [one.name];
            if (one.kind === "component") return [`${one.name} ${textOfValue(entity, one)}`];
            return targetsOf(entity, one).map((target) => `${one.name} ${target}`);
          }),
        };
      };
      const byTable = new Map<number, number[]>();
      for (const index of internal.entitiesIn(world, (one) => one === archetype)) {
        const table = internal.tableAt(world, index);
        const list = byTable.get(table);
        if (list === undefined) byTable.set(table, [index]);
        else list.push(index);
      }
      const pictures = [...byTable].slice(0, MOST_TABLES).map(([number, indexes]): TablePicture => {
        const first = internal.handleOf(world, indexes[0]!);
        let depth = 0;
        for (
          let above = core.parentOf(world, first);
          above !== undefined;
          above = core.parentOf(world, above)
        )
          depth += 1;
        const pairs = relations.flatMap((relation) =>
          targetsOf(first, relation).map((target): [string, string] => [relation.name, target]),
        );
        return { number, pairs, count: indexes.length, depth, rows: indexes.slice(0, MOST_ROWS).map(rowOf) };
      });
      entities += archetype.rows;
      tables += byTable.size;
      return {
        number: archetype.number,
        relations: relations.map(({ name }) => name),
        columns: components.map(({ name, fields }) => ({ name, fields: fields.map(([field]) => field) })),
        tags: shown.filter(({ kind }) => kind === "tag").map(({ name }) => name),
        rows: archetype.rows,
        tables: pictures,
        moreTables: Math.max(0, byTable.size - MOST_TABLES),
      };
    });
  const lines = debug.dump(world).split("\n");
  if (lines.length > MOST_LINES) lines.splice(MOST_LINES, lines.length, "...");
  return { entities, tables, archetypes, text: lines.join("\n") };
}
