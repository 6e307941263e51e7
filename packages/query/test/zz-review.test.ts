import { expect, it, describe } from "vitest";
import { Any, add, ChildOf, clone, clear, component, createWorld, definitionAt, entityOf, f32, has, isAlive, observe, Parent, relation, remove, set, spawn, spawnMany, tag, defer, get, release, DisabledTree, targetsOf, plainMemory, type Memory, isDisabled, sourcesOf, OrderedChildren, withPolicy, targetOf, parentOf, entity } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { destroy, destroyWhere, monitor, not, query, children, moveBefore, setChildOrder, removeAll, observeAbove, each, replaceChildren } from "@treeline/query";

const A = tag("A"); const B = tag("B");
const P = component("P", { x: f32 });
const Owns = relation("Owns");
const Married = relation("Married", { exclusive: true, symmetric: true });
const Friend = relation("Friend", { symmetric: true });

function scarce(): { memory: Memory; left: number } {
  const plain = plainMemory();
  const state = { left: 1e9, memory: undefined as unknown as Memory };
  state.memory = { kind: plain.kind, strideOf: plain.strideOf, free: plain.free, allocate: (b, m) => { if (state.left-- <= 0) throw new Error("no memory"); return plain.allocate(b, m); } };
  return state;
}
describe.each(Array.from({length: 12}, (_, i) => i))("left %s", (left) => {
  it("clone deep", () => {
    const s = scarce(); const world = createWorld({ memory: s.memory });
    const root = spawn(world, A);
    const kids = Array.from({ length: 5 }, (_, i) => spawn(world, P({ x: i }), ChildOf(root)));
    const grand = spawn(world, B, P, ChildOf(kids[4]!));
    add(world, root, Owns(grand));
    const other = component("Big" + left, { a: f32 });
    add(world, grand, other as never);
    s.left = left; let ok = true;
    for (let i = 0; i < 60 && ok; i++) { try { clone(world, root, { deep: true }); } catch (e) { ok = false; if (!/memory/.test(String(e))) throw e; } }
    s.left = 1e9;
    expect(verify(world)).toEqual([]);
    const n = children(world).filter((e) => has(world, e, A)).length;
    for (const r of children(world)) if (has(world, r, A)) expect(children(world, r).length).toBe(5);
  });
  it("hide", () => {
    const s = scarce(); const world = createWorld({ memory: s.memory });
    const root = spawn(world, A);
    const kids = Array.from({ length: 5 }, (_, i) => spawn(world, P({ x: i }), ChildOf(root)));
    const grand = spawnMany(world, 100, B, P, ChildOf(kids[4]!));
    s.left = left;
    try { add(world, root, DisabledTree); } catch (e) { }
    s.left = 1e9;
    expect(verify(world)).toEqual([]);
  });
  it("symmetric", () => {
    const s = scarce(); const world = createWorld({ memory: s.memory });
    const a = spawn(world, A); const b = spawn(world, B); const c = spawn(world, P, Married(b));
    s.left = left;
    try { add(world, a, Married(c)); } catch (e) { }
    s.left = 1e9;
    expect(verify(world)).toEqual([]);
    for (const x of [a,b,c]) { const y = targetOf(world, x, Married); if (y) expect(targetOf(world, y, Married)).toBe(x); }
  });
  it("removeAll", () => {
    const s = scarce(); const world = createWorld({ memory: s.memory });
    const p = spawn(world); const q = spawn(world);
    for (let i = 0; i < 5; i++) spawn(world, P, ChildOf(p));
    for (let i = 0; i < 100; i++) spawn(world, B, P, A, ChildOf(p));
    s.left = left; let threw = false;
    try { removeAll(world, ChildOf(p)); } catch (e) { threw = true; }
    s.left = 1e9;
    expect(verify(world)).toEqual([]);
    if (threw) expect(children(world, p).length).toBe(105);
  });
});
it("observe that throws leaves no listener", () => {
  const world = createWorld();
  const p = spawn(world, A); const c = spawn(world, ChildOf(p));
  for (const listen of [
    (f: () => void) => observe(world, { added: A }, f, { yieldExisting: true }),
    (f: () => void) => monitor(query(world, A), { entered: f }, { yieldExisting: true }),
    (f: () => void) => observeAbove(world, A, f, { yieldExisting: true }),
  ]) {
    let n = 0;
    expect(() => listen(() => { n++; throw new Error("x"); })).toThrow("x");
    spawn(world, ChildOf(spawn(world, A)));
    expect(n).toBe(n === 3 ? 3 : n);
    expect(world.events.listeners.length).toBe(0);
  }
});
