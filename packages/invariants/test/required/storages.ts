import { bits, type ComponentStorage, component, sparse, type Tag, tag } from "@treeline/core";

/** Every storage that a requirer and what it requires can have. */
export interface Kinds {
  readonly title: string;
  /** Requires `Deep` by way of `Needed`. */
  readonly Requirer: Tag;
  readonly Needed: Tag;
  readonly Deep: Tag;
}

const KINDS = ["component", "tag", "sparse component", "sparse tag", "tag in bits"] as const;

function define(kind: (typeof KINDS)[number], name: string, requires?: readonly Tag[]): Tag {
  const storages: { readonly [kind: string]: ComponentStorage } = {
    "sparse component": sparse,
    "sparse tag": sparse,
    "tag in bits": bits,
  };
  const storage = storages[kind];
  const options = { ...(storage && { storage }), ...(requires && { requires }) };
  return kind.endsWith("component")
    ? (component(name, { x: 7, label: "none" }, options) as unknown as Tag)
    : tag(name, options);
}

/** Each kind with each kind as what it requires. */
export const ALL_KINDS: readonly Kinds[] = KINDS.flatMap((own) =>
  KINDS.map((needed): Kinds => {
    const Deep = define(needed === "component" ? "tag" : "component", "Deep");
    const Needed = define(needed, "Needed", [Deep]);
    return {
      title: `a ${own} that requires a ${needed}`,
      Requirer: define(own, "Requirer", [Needed]),
      Needed,
      Deep,
    };
  }),
);
