/** What the file calls one of several siblings. */
export interface GivenName {
  /** The file's own name, if it has one. */
  readonly own: string | undefined;
  /** What to call it otherwise. */
  readonly fallback: string;
}

/**
 * Names that all differ, as siblings need them. The first to have a name keeps it; later ones get " (2)", " (3)" and
 * so on behind it. No number makes a name that a sibling brought along, and no fallback takes such a name away.
 */
export function distinctNames(siblings: readonly GivenName[]): string[] {
  const brought = new Set<string>();
  for (const { own } of siblings) if (own !== undefined) brought.add(own);
  const names = siblings.map(({ own }) => own ?? "");
  const taken = new Set<string>();
  const lastNumber = new Map<string, number>();

  // The first owner of each name keeps it ...
  const waiting: number[] = [];
  for (const [at, { own }] of siblings.entries()) {
    if (own === undefined || taken.has(own)) waiting.push(at);
    else taken.add(own);
  }

  // ... and all others get what is left.
  for (const at of waiting) {
    const { own, fallback } = siblings[at]!;
    const wish = own ?? fallback;
    let name = wish;
    let number = lastNumber.get(wish) ?? 1;
    while (taken.has(name) || brought.has(name)) {
      number += 1;
      name = `${wish} (${number})`;
    }
    lastNumber.set(wish, number);
    taken.add(name);
    names[at] = name;
  }
  return names;
}
