// Which programs the playground starts with (`starters`).

/** The programs to begin with: those of examples/playground, as texts. */
const texts = import.meta.glob<string>("../../../../../examples/playground/src/*.ts", {
  eager: true,
  import: "default",
  query: "?raw",
});

export interface Starter {
  /** In links: `#start=tree`. */
  readonly name: string;
  readonly title: string;
  readonly program: string;
}

/** In the order of the list. */
const TITLES: Readonly<Record<string, string>> = {
  tree: "A tree",
  query: "Queries",
  cascade: "Cascade",
  prefab: "Prefabs",
  transform: "Transforms",
  three: "three.js",
  observer: "Observers",
  undo: "Undo",
};

export const starters: readonly Starter[] = Object.entries(TITLES).map(([name, title]) => {
  const program = Object.entries(texts).find(([path]) => path.endsWith(`/${name}.ts`))?.[1];
  if (program === undefined) throw new Error(`the starter ${name} is missing`);
  return { name, title, program };
});
