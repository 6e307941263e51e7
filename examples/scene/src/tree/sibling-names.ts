// How siblings get different names (`distinctNames`: the first keeps its name, later ones get a number).

/** The name of a sibling in the file. */
export interface GivenName {
  /** The file's own name, if it has one. */
  readonly own: string | undefined;
  /** The name to use otherwise. */
  readonly fallback: string;
}

/**
 * Returns different names for all siblings. The first sibling with a name keeps it; names of later ones get the suffix " (2)",
 * " (3)" and so on. Neither a suffix nor a fallback ever leads to a name that a sibling has in the file.
 */
export function distinctNames(siblings: readonly GivenName[]): string[] {
  const given = new Set<string>();
  for (const { own } of siblings) if (own !== undefined) given.add(own);
  const names = siblings.map(({ own }) => own ?? "");
  const taken = new Set<string>();
  const lastNumber = new Map<string, number>();

  // The first sibling with each name keeps it.
  const remaining: number[] = [];
  for (const [at, { own }] of siblings.entries()) {
    if (own === undefined || taken.has(own)) remaining.push(at);
    else taken.add(own);
  }

  // All others get a name that is still free.
  for (const at of remaining) {
    const { own, fallback } = siblings[at]!;
    const wish = own ?? fallback;
    let name = wish;
    let number = lastNumber.get(wish) ?? 1;
    while (taken.has(name) || given.has(name)) {
      number += 1;
      name = `${wish} (${number})`;
    }
    lastNumber.set(wish, number);
    taken.add(name);
    names[at] = name;
  }
  return names;
}
