import { describe, expect, it } from "vitest";
import { createSignal, listen, tell } from "../../src/base/signal.ts";

describe("signal", () => {
  it("tells nobody when nobody listens", () => {
    const signal = createSignal<number>();

    expect(() => tell(signal, 1)).not.toThrow();
  });

  it("tells its listeners in the order of their listening", () => {
    const signal = createSignal<string>();
    const heard: string[] = [];
    listen(signal, (fact) => heard.push(`first ${fact}`));
    listen(signal, (fact) => heard.push(`second ${fact}`));

    tell(signal, "a");
    tell(signal, "b");

    expect(heard).toEqual(["first a", "second a", "first b", "second b"]);
  });

  it("no longer tells who has left", () => {
    const signal = createSignal<number>();
    const heard: number[] = [];
    const leave = listen(signal, (fact) => heard.push(fact));
    listen(signal, (fact) => heard.push(fact * 10));
    tell(signal, 1);

    leave();
    tell(signal, 2);

    expect(heard).toEqual([1, 10, 20]);
  });

  it("passes over nobody when a listener leaves while being told", () => {
    const signal = createSignal<number>();
    const heard: string[] = [];
    const leave = listen(signal, () => {
      heard.push("leaving");
      leave();
    });
    listen(signal, () => heard.push("staying"));
    listen(signal, () => heard.push("staying too"));

    tell(signal, 1);
    tell(signal, 2);

    expect(heard).toEqual(["leaving", "staying", "staying too", "staying", "staying too"]);
  });

  it("first tells a new listener the fact after the one that is being told", () => {
    const signal = createSignal<number>();
    const heard: number[] = [];
    listen(signal, (fact) => {
      if (fact === 1) listen(signal, (later) => heard.push(later));
    });

    tell(signal, 1);
    tell(signal, 2);

    expect(heard).toEqual([2]);
  });
});
