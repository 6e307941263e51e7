/**
 * Ordered listeners of one kind of fact: the one way in which upper rooms hear of lower ones.
 * A listener may not throw and may not change structure.
 */
export interface Signal<Fact> {
  /** In order of listening. Replaced, never changed, so that a listener may leave while being told. */
  listeners: readonly ((fact: Fact) => void)[];
}

export function createSignal<Fact>(): Signal<Fact> {
  return { listeners: [] };
}

/** @returns a function that ends the listening. */
export function listen<Fact>(signal: Signal<Fact>, listener: (fact: Fact) => void): () => void {
  signal.listeners = [...signal.listeners, listener];
  return () => {
    signal.listeners = signal.listeners.filter((one) => one !== listener);
  };
}

export function tell<Fact>(signal: Signal<Fact>, fact: Fact): void {
  for (const listener of signal.listeners) listener(fact);
}
