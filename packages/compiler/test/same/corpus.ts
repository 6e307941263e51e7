/** Callbacks for two outputs: `a`, `b` and the entity, with all that callbacks do. */
export const CORPUS: readonly string[] = `
(a, b) => { a.x += b.x; }
(a, b) => { a.x += b.x; a.y += b.y; }
(a, b) => { a.x += b.x * dt; a.y += b.y * dt; }
(a, b) => { a.x += b.x * clock.step; a.y += b.y * clock.step; }
(a, b) => { a.x = b.x; }
(a, b) => (a.x = b.x)
(a, b) => (a.x += b.x)
(a, b) => void (a.x -= b.y)
(a, b) => a.x
(a) => a.x++
(a) => { a.x++; --a.y; }
(a) => { a.x--; ++a.y; }
(a) => { total += a.x; }
(a, b) => { total += a.x * b.x; }
(a, b) => { total = Math.max(total, a.x, b.x); }
(a, b) => { a.x *= 2; b.y = 1; }
(a, b) => { a.x = b.x = 3; }
(a, b) => { a.x = b.y = a.y; }
(a, b) => { a.x = (b.x = 2) + (a.y = 1); }
(a, b) => { a.x **= 2; a.y %= 3; a.x /= 3; }
(a, b) => { a.x |= 5; a.y &= 3; a.x ^= 1; a.y <<= 1; a.x >>= 1; a.y >>>= 1; }
(a, b) => { a.x ||= 4; }
(a, b) => { a.x &&= 4; }
(a, b) => { a.x ??= 4; }
(a, b) => { a.y ||= b.x; b.x &&= a.x; }
(a, b) => { log(a.x ||= 7); }
(a, b) => { log((a.y ??= 8) + 1, a.y); }
(a, b) => { if (a.x > 5) a.y = 1; }
(a, b) => { if (a.x > 5) a.y = 1; else b.y = 2; }
(a, b) => { if (a.x > 5) { a.y = 1; } else if (b.x > 2) { b.y = 2; } else a.x = 0; }
(a, b) => { if (a.x < 3) return; a.x = 0; }
(a, b) => { if (a.x < 3) return a.x; a.x = 0; return b.x; }
(a, b) => { if (a.x < 3) return (a.y = 2); a.x = 0; }
(a, b) => { if (a.x < 3) { a.y = 4; return; } b.x = 0; }
(a, b) => { if (a.x < 3) { return } b.x = 0 }
(a, b) => { a.x = a.x > 4 ? b.x : b.y; }
(a, b) => { a.x > 4 ? (a.x = 1) : (a.y = 1); }
(a, b) => { a.x > 4 && (a.x = 1); }
(a, b) => { a.x > 4 || (a.x = 1); }
(a, b) => { for (let i = 0; i < 3; i++) a.x += i; }
(a, b) => { for (let i = 0; i < 3; i++) { if (i === 1) continue; a.x += i; } }
(a, b) => { for (let i = 0; i < 3; i++) { if (a.x > i) return; a.y = i; } b.x = 5; }
(a, b) => { for (let i = 0; i < 3; i++) { if (a.x > i) break; a.y = i; } b.x = 5; }
(a, b) => { outer: for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) { if (j === 1) continue outer; a.x += j; } }
(a, b) => { outer: for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) { if (j === i) break outer; a.x += j; } }
(a, b) => { let i = 0; while (i < 3) { a.x += i; i++; } }
(a, b) => { let i = 0; do { a.x += i; } while (++i < 3); }
(a, b) => { let n = 0; while (a.x > 3 && n++ < 9) a.x -= 2; }
(a, b) => { let n = 0; for (a.y = 0; a.y < 3 && n < 9; a.y++) total += ++n; }
(a, b) => { for (const one of table) a.x += one; }
(a, b) => { for (const at in table) a.x += Number(at); }
(a, b) => { switch (Math.floor(a.x) % 3) { case 0: a.y = 1; break; case 1: return; default: a.y = 2; } b.y = 3; }
(a, b) => { try { a.x += b.x; } finally { a.y = 1; } }
(a, b) => { try { if (a.x > 4) throw new Error("inside"); a.x = 1; } catch (error) { a.y = 2; log(error.message); } }
(a, b) => { try { if (a.x > 4) return; a.x = 1; } finally { b.y = 7; } }
(a, b) => { if (a.x > 10) throw new Error("far " + a.x); a.x += 1; }
(a, b) => { a.y = 1; if (a.x > 10) throw new Error("far " + a.x); a.x += 1; }
(a, b) => { a.x = 1; a.y = clock.none.deep; }
(a, b) => { if (a.x > 10) a.y = clock.none.deep; a.x += 1; }
(a, b) => { a.x += clock.none.deep; }
(a, b) => { a.x = missing; }
(a, b) => { a.x = 1; b.x = missing; }
(a, b) => { a.x = null; b.x = undefined; }
(a, b) => { a.x = "12"; b.x = true; }
(a, b) => { a.x = NaN; b.x = Infinity; }
(a, b) => { a.x = 300; b.x = -1.75; a.y = 1e20; }
(a, b) => { a.x = -0; b.y = 0.1; }
(a, b) => { a.x = 1n; }
(a, b) => { if (a.x > 10) a.x = 1n; else a.x += 1; }
(a, b) => { a.x = Symbol.iterator; }
(a, b) => { a.x = {}; }
(a, b) => { a.x = { valueOf: () => 5 }; }
(a, b) => { a.x = true; b.y = !a.x; }
(a, b) => { a.x = !b.x; }
(a, b) => { a.x = a.y > 1; b.x = a.x === 1; }
(a, b) => { if (a.x) total++; if (!b.y) total += 2; }
(a, b) => { if (a.x && b.x) total++; }
(a, b) => { if (a.x || !b.x) a.y = true; }
(a, b) => { total += a.x ? 1 : 0; }
(a, b) => { a.y = !a.y; }
(a, b) => { a.y = a.x ? true : false; }
(a, b) => { log(a.x === true, typeof a.x); }
(a, b) => { log(a.x, b.x, a.y); }
(a, b) => { log(typeof a.x, typeof b.y); }
(a, b) => { log(-a.x, +b.x, ~a.y); }
(a, b) => { log(\`\${a.x} \${b.y}\`); }
(a, b) => { log(a.x + "", b.x + a.x); }
(a, b) => { log({ x: a.x, y: b.y }); }
(a, b) => { log([a.x, b.y]); }
(a, b) => { log(a.x in [1, 2]); }
(a, b) => { log(...[a.x, b.x]); }
(a, b) => { const x = a.x; a.x = 5; log(x, a.x); }
(a, b) => { const { x, y } = a; a.x = y; a.y = x; }
(a, b) => { const { x: one, y: other } = b; a.x = one + other; }
(a, b) => { let { x } = a; x += 1; a.x = x; }
(a, b) => { const { x } = a, { y } = b; a.x = x + y; }
(a, b) => { const { x } = a; if (x > 3) return; const { y } = b; a.x = y; }
({ x, y }, b) => { b.x = x + y; }
({ x, y }) => { total += x * y; }
({ x }, { y }) => { total += x * y; }
({ x: one }, { x: other }) => { total += one - other; }
({ x }, b) => { x += 1; b.x = x; }
({ x }, b) => { b.x = 9; log(x); }
({ m }) => { total += m[0]; }
({ x, m }, b) => { b.x = m[1] + x; m[1] = 7; }
({ x = 1 }, b) => { b.x = x; }
({ ...rest }, b) => { log(Object.keys(rest).length); }
([x], b) => { b.x = x; }
({ m: [first] }, b) => { b.x = first; }
(a, { x, y } = { x: 1, y: 2 }) => { a.x = x; }
(...all) => { log(all.length); }
(a, b, entity) => { log(idOf(entity), a.x); }
(a, b, entity) => { if (a.x > 5) log(idOf(entity)); }
(a, b, entity) => { destroy(world, entity); a.x = 1; }
(a, b, entity) => { if (a.x > 3) destroy(world, entity); else a.x += 1; }
(a, b, entity) => { remove(world, entity, V); a.x += 1; }
(a, b, entity) => { add(world, entity, Enemy); b.x = 2; }
(a, b, entity) => { set(world, entity, P, { x: 3 }); log(a.x); }
(a, b, entity) => { add(world, entity, V({ x: 9, y: 9 })); log(b.x); }
(a, b, entity) => { a.x = 2; spawn(world, next(), P({ x: a.x, y: 1 })); }
(a, b, entity) => { a.x = 2; log(entities(query(world, Enemy)).length); }
(a, b, entity) => { log(get(world, entity, P)?.x ?? "none"); a.y = 4; }
(a, b, entity) => { table.push(() => entity); total += a.x; }
(a, b, entity) => { const later = () => idOf(entity); log(later(), b.x); }
(a, b, entity) => { log({ entity }.entity === entity, a.x); }
(a, b, entity) => { log(entity === kept, a.x); }
(a, b, entity) => { log(entity > 0 ? 1 : 0, a.x); }
(a, b, entity) => { if (entity) a.x = 1; }
(a, b, entity) => { entity = 4; a.x = entity; }
(a, b, entity) => { log(typeof entity, a.x); }
(a, b, entity, more) => { log(more, a.x); }
(a, b, entity, more) => { if (more) a.x = 2; }
(a, b) => { const later = () => a.x; log(later()); }
(a, b) => { [1, 2].forEach((one) => { a.x += one; }); }
(a, b) => { const copy = a; copy.x = 3; }
(a, b) => { a = b; a.x = 3; }
(a, b) => { log(Object.keys(a).length, b.x); }
(a, b) => { log(JSON.stringify(a), b.x); }
(a, b) => { log("x" in b, a.x); }
(a, b) => { const copy = { ...a }; log(Object.keys(copy).length, b.x); }
(a, b) => { delete a.x; b.x = 1; }
(a, b) => { a["x"] = 1; }
(a, b) => { const name = "x"; a[name] = b.x; }
(a, b) => { [a.x, b.x] = [b.x, a.x]; }
(a, b) => { ({ x: a.x } = { x: 3 }); }
(a, b) => { for (a.x of [1, 2]) total++; }
(a, b) => { a.none = 1; log(a.none); }
(a, b) => { total += a.none ?? 1; }
(a, b) => { log(a.x.toFixed(1)); }
(a, b) => { log(a.toString().length > 0, b.x); }
(a, b) => { log(a.x?.toFixed?.(2), b.x); }
(a, b) => { total += a.m[0]; }
(a, b) => { a.m[0] = b.x; }
(a, b) => { a.m[1] += b.m[1]; a.m[2]++; }
(a, b) => { a.m[2] = a.m[0] + a.m[1]; }
(a, b) => { for (let i = 0; i < 3; i++) a.m[i] = b.m[i] * 2; }
(a, b) => { for (let i = -1; i < 6; i++) log(a.m[i]); }
(a, b) => { for (let i = -1; i < 6; i++) a.m[i] = i; }
(a, b) => { for (let i = 0; i < 2; i++) a.m[i + 0.5] = i; log(a.m[0]); }
(a, b) => { log(a.m[7], a.m[-1], a.m[0.5]); }
(a, b) => { a.m[3] = 1; log(a.m[3]); }
(a, b) => { log(a.m["0"], a.m.length); }
(a, b) => { const at = "1"; log(a.m[at]); }
(a, b) => { const m = a.m; m[0] = 4; m[1] += m[0]; }
(a, b) => { const { m } = a; m[0] = 4; log(m.length); }
(a, b) => { const [one, other] = a.m; log(one, other); }
(a, b) => { log(a.m); a.m[0]++; }
(a, b) => { a.m = [1, 2, 3]; }
(a, b) => { a.m = b.m; }
(a, b) => { a.m.fill(2); }
(a, b) => { a.m.set(b.m.subarray(0, 2)); }
(a, b) => { log(a.m.map((one) => one * 2)); }
(a, b) => { log(Math.hypot(...a.m)); }
(a, b) => { [a.m[0], a.m[1]] = [a.m[1], a.m[0]]; }
(a, b) => { a.m[Math.floor(a.m[0]) % 3] = 1; }
(a, b) => { let i = 0; a.m[i++] = i; a.m[i++] += i; log(i); }
(a, b) => { log(a.m[0]?.toFixed(1)); }
(a, b) => { delete a.m[0]; log(a.m[0]); }
(a, b) => { a.m[0]--; log(a.m[0]--); }
(a, b) => { const { m } = a; m[0] = 4; m[1] += m[0]; m[2]++; log(--m[0], m[1]--); }
(a, b) => { const { m } = a, { m: other } = b; for (let i = 0; i < 3; i++) m[i] += other[i] * 2; }
(a, b) => { const { m, x } = a; m[0] = x; a.x = m[0] + 1; log(x, m[1]); }
(a, b) => { const m = a.m; for (let i = -2; i < 5; i++) { log(m[i]); m[i] = i; m[i] += 1; m[i]++; } }
(a, b) => { const m = a.m; for (let i = 8; i >= 0; i -= 3) m[i % 3] = i; log(m[0], m[1], m[2]); }
(a, b) => { const m = a.m; for (let i = 0; i < 9; i += 4) log(m[i]); }
(a, b) => { const m = a.m; for (let i = 0; i < 3; i++) { m[i] = i; i += 0.5; } log(m[0], m[1], m[2]); }
(a, b) => { const m = a.m; for (let i = 0; i < 3; i++) for (let j = i; j < 3; j++) m[j - i] += i * j; }
(a, b) => { const m = a.m; for (let i = 0; i < m.length; i++) m[i] = m.length - i; }
(a, b) => { for (let i = 0; i < a.m.length; i++) total += a.m[i]; log(a.m.length, a.m["length"]); }
(a, b) => { const m = a.m; for (const at of [-1, -0, 0, 0.5, 1, 1.9999999, 2, 3, 1e9, 2 ** 32, 2 ** 32 + 1, NaN, Infinity, 1e-17]) log(m[at]); }
(a, b) => { const m = a.m; for (const at of [-1, -0, 0, 0.5, 1, 1.9999999, 2, 3, 1e9, 2 ** 32, 2 ** 32 + 1, NaN, Infinity, 1e-17]) { m[at] = at + 3; m[at] += 1; log(m[at]++); } }
(a, b) => { const m = a.m; for (const at of ["0", "1", "01", "-0", "x", "", true, null, undefined, 1n, [1], Symbol.for("x")]) { m[at] = 4; log(m[at], ++m[at]); } }
(a, b) => { const { m } = a; for (const at of ["length", "byteLength", "foo"]) log(m[at]); m["foo"] = 3; log(m["foo"], m[log("foo")]); }
(a, b) => { const { m } = a; m["length"] = 3; }
(a, b) => { const { m } = a; m[0] = 8; m[log("length")] = 3; }
(a, b) => { for (const at of ["0", -1, 1, 2.5, "x"]) { a.m[at] = 4; log(a.m[at], a.m[at] += 2, a.m[at]--); } }
(a, b) => { const m = a.m; m[{ valueOf: () => log(1), toString: () => log("2") }] = 5; log(m[2]); }
(a, b) => { const m = a.m; m[{ toString: () => String(log(1)) }] += log(5); log(m[{ toString: () => { throw new Error("no index"); } }]); }
(a, b) => { a.m[{ toString: () => String(log(1)) }]++; log(a.m[1]); }
(a, b) => { const m = a.m; m[0] = { valueOf: () => log(5) }; m[1] = "7"; m[2] = null; log(m[0], m[1], m[2]); }
(a, b) => { const m = a.m; m[0] = undefined; m[1] = true; m[2] = 300.7; log(m[0], m[1], m[2], m[3]); }
(a, b) => { const m = a.m; m[7] = { valueOf: () => log(5) }; m[-1] = "x"; m[log(9)] = { valueOf: () => log(6) }; }
(a, b) => { const m = a.m; m[0] = 1; m[1] = 1n; }
(a, b) => { const m = a.m; m[0] = 1; m[5] = Symbol.iterator; }
(a, b) => { const m = a.m; m[0] = 1; b.x = 2; m[log(1)] = Symbol.iterator; }
(a, b) => { const m = a.m; log(m[0] = 300.7, m[0], m[9] = 4, m[9]); }
(a, b) => { const m = a.m; m[log(1)] = log(2); m[log(0)] += log(3); m[log(2)]++; }
(a, b) => { const m = a.m; m[log(m[log(0)])] = m[log(1)] = log(m[log(2)]); }
(a, b) => { const m = a.m; let i = 0; m[i++] = i; m[i++] += i; m[i] = m[i--] + m[i]; log(i, m[++i]); }
(a, b) => { const m = a.m; let i = 1; m[i] = (i = 2); m[i] += (i = 0, 5); log(m[0], m[1], m[2]); }
(a, b) => { let at = log(1); const m = a.m; m[at] = (at = 2); m[at] += (at = log(0), 5); log(m[0], m[1], m[2]); }
(a, b) => { const m = a.m; m[0] ||= 5; m[1] &&= 6; m[2] ??= 7; m[8] ??= 8; m[log(1)] ||= log(9); }
(a, b) => { const m = a.m; [m[0], m[log(1)]] = [m[1], m[0]]; ({ x: m[2] } = { x: 4 }); for (m[0] of [1, 2]) total += m[0]; }
(a, b) => { const m = a.m; for (m[log(1)] in { 5: 1 }) log(m[1]); }
(a, b) => { const m = a.m; m[0] = 3; log(m); m[1] = 4; log(m.length, m); }
(a, b) => { const m = a.m; m[0] = 3; const other = m; other[1] = m[0] + 1; log(other === m); }
(a, b) => { const m = a.m; m[0] = 3; log(m.map((one) => one + m[0])); }
(a, b) => { const m = a.m; for (let i = 0; i < 2; i++) table.push(() => m[i]); m[0] = 3; log(table.pop()()); table.length = 3; }
(a, b) => { const m = a.m; m[0] = m[1]; log(m[0].toFixed(1), m[1]?.toFixed(2), m?.[2], m.at(-1)); }
(a, b) => { const m = a.m; m[0] = 2; m[0](); }
(a, b) => { const m = a.m; log(m[0]); m.run(); }
(a, b) => { const m = a.m; log(m[0]); delete m[0]; }
(a, b) => { const m = a.m; m[5]; log(typeof m[0], typeof m[log(5)], void m[0], -m[1], !m[2]); }
(a, b) => { let m = a.m; m[0] = 1; m = b.m; m[0] = 2; }
(a, b) => { m[0] = 1; const m = a.m; }
(a, b) => { switch (a.x > 3) { case true: const m = a.m; m[0] = 1; break; default: m[1] = 2; } }
(a, b) => { for (const m = a.m, i = 1; total < 3; total++) m[i] += total; }
(a, b) => { for (let n = 0; n < 2; n++) { const { m } = a; m[log(n)] = n; log(m["foo"]); m["foo"] = 2; log(m["foo"]); } }
(a, b) => { const m = a.m; { const m = [1, 2]; m[1] = 5; log(m[1]); } m[1] = 6; }
(a, b) => { if (b === undefined) { a.m[0] = -1; return; } const { m } = b; a.m[0] = m[0] + m[1]; m[log(2)] = 3; }
(a, b) => { if (b) { const m = b.m; for (let i = 0; i < 3; i++) a.m[i] = m[i] + i; } }
(a, b) => { const { m } = b; m[0] = 1; a.x = m[0]; }
(a, b) => { const m = b?.m; log(m?.[0], m?.length); }
(a, b, entity) => { const { m } = a; m[0] = idOf(entity); add(world, entity, Enemy); m[1] = m[0]; log(m[1]); }
(a, b, entity) => { const m = a.m; spawn(world, next(), P({ x: 1 })); m[0] = 3; destroy(world, entity); m[1] = m[0]; log(m[1]); }
({ m }, { m: other }) => { for (let i = 0; i < 3; i++) m[i] = other[i] - m[i]; }
({ m, x }, b) => { m[log(1)] = x; b.x = m[1]; m["foo"] = 5; log(m["foo"]); }
({ m }, b) => { m[0] = 5; log(m); b.x = m[0]; }
({ m }) => { m = [1, 2]; m[0] = 5; log(m[0]); }
({ m: m2 }, { x }) => { m2[x] = 5; m2[x + 1] += 2; log(m2[x], m2[-x]); }
({ x: x1, m }, { m: other }) => { const { length } = m; for (let i = length - 1; i >= 0; i--) m[i] += other[i] ?? x1; }
(a, b) => { const m = a.m; m[(0)] = 1; m[(log(1), 2)] = 3; (m)[1] = 4; m [ /* one */ 0 /* two */ ] += 1; }
(a, b) => { a.x = 1
  const m = a.m
  m[log(1)] = 2
  m[0] = 3
  a.m[log(2)] = 4
}
(a, b) => { const m = a.m; b.x = m[0]; b.y = m[1] + m[2]; }
(a, b) => { const m = a.m; if (m[0] > 2) b.x = m[1]; }
({ m }, b) => { b.x = m[0]; b.y = m[1]; }
(a, b) => { a.x = b === void 0 ? 1 : b.x; }
(a, b) => { if (b) a.x += b.x; }
(a, b) => { if (!b) return; a.x += b.x; }
(a, b) => { if (b === undefined) { a.x = -1; return; } a.x += b.x; }
(a, b) => { if (b !== undefined) { a.x = b.x; } else { a.x = -1; } }
(a, b) => { if (b != null && b.x > 2) a.x = b.x; }
(a, b) => { if (b == null || b.x > 2) a.x = 5; else a.y = b.y; }
(a, b) => { a.x = b ? b.x : -1; }
(a, b) => { a.x = b?.x ?? -1; }
(a, b) => { a.x = (b?.x ?? 0) + a.y; }
(a, b) => { log(b?.x, b?.y); }
(a, b) => { log(b?.m[0]); }
(a, b) => { log(b?.m?.[0], b?.x?.toFixed); }
(a, b) => { log(b && b.x); }
(a, b) => { log(b || 3, a.x); }
(a, b) => { log(b ?? 3, a.x); }
(a, b) => { b && (b.x = 3); }
(a, b) => { if (b) b.x += 1; a.y = b === undefined ? 0 : b.y; }
(a, b) => { if (b && a.x > 3) { b.x = 1; b.y = 2; } }
(a, b) => { a.x = !b ? 1 : b.x; }
(a, b) => { a.x = b.x; if (b) a.y = b.y; }
(a, b) => { let n = 0; while (b && a.x > 3 && n < 9) { a.x -= 1; n++; } }
(a, b) => { const x = b?.x; if (x !== undefined) a.x = x; }
(a, b) => { log(undefined === b, a.x); }
(a, b) => { if (a) a.x = 1; if (b) a.y = 1; }
(a, b) => { if (b?.x > 1) a.x = 1; }
(a, b) => { a.x = b!==undefined?b.x:0; }
function (a, b) { a.x += b.x; }
function (a, b, entity) { if (a.x > 4) return; log(idOf(entity)); a.x = 1; }
function (a, b) { log(this === undefined, a.x); }
function (a, b) { log(arguments.length, a.x); }
function named(a, b) { a.x = typeof named === "function" ? 1 : 2; }
function* (a, b) { a.x = 1; }
async (a, b) => { a.x = a.y; }
async (a, b) => { a.x = a.y; await 0; }
(a, b) => { var n; n ??= 0; n++; a.x = n; }
(a, b) => { let n; n ??= 0; n++; a.x = n; }
(a, b) => { function twice(one) { return one * 2; } a.x = twice(b.x); }
(a, b) => { const twice = (one) => one * 2; a.x = twice(b.x); }
(a, b) => { class Pair { sum = 3; } a.x = new Pair().sum; }
(a, b) => { { const x = 3; a.x = x; } { let a = { x: 1 }; a.x = 2; log(a.x); } }
(a, b) => { const b2 = { x: b.x }; { const b = b2; a.x = b.x; } }
(a, b) => { "use strict"; a.x = 1; }
(a, b) => { debugger; a.x = 1; }
(a, b) => { a.x = 1, a.y = 2; }
(a, b) => { a.x = (log(1), log(2), b.x); }
(a, b) => { a.x += log(a.x) + log(b.x); }
(a, b) => { a.x = log(a.x = 4) + a.x; }
(a, b) => { a.x += (a.x = 10); }
(a, b) => { a.x = a.x++ + ++a.x; }
(a, b) => { log(a.x++, ++a.x, a.x--); }
(a, b) => { log(a.x = 300.7, a.x); }
(a, b) => { log(a.y += 250.5, a.y); }
(a, b) => { total += (a.x, b.x); }
(a, b) => { a.x = eval("3"); }
(a, b) => log(a.x)
(a, b) => log(a.x) && log(b.x)
(a, b) => ({ x: a.x })
(a, b) => [a.x]
(a, b) => { return { x: a.x }; }
(a, b) => { return function () {}; a.x = 1; }
(a, b) => { if (a.x > 3) return log(1); else return (a.x = 4), (a.y = 5); }
(a, b) => { entities(query(world, changed(P))).length; a.x = 1; }
(a, b) => { a.x = 1; log(entities(query(world, changed(P))).length); a.y = 2; }
(a, b) => { log(entities(query(world, changed(V))).length); b.x = 1; }
(a, b) => { a.x = Math.sqrt(Math.abs(b.x)) * Math.PI; }
(a, b) => { a.x = Math.round(a.x); a.y = Math.min(a.y, b.y); }
(a, b) => { const Math = { abs: log }; a.x = Math.abs(b.x); }
(/* one */ a /* two */, b) => /* three */ { /* four */ a.x /* five */ += /* six */ b.x; /* seven */ }
(a, b) => { a.x += b.x // the end
}
(a, b) => { a.x += b.x; return /* nothing */; }
(a, b) => { (a).x = (b).x; (a.y) = (b.y); }
(a, b) => { if ((a.x > 2)) { (a.x)++; } }
(a, b) => { a . x = b . y }
(a, b) => { total += a.x; a.y = total; }
(a, b) => { clock.step += 1; a.x = clock.step; }
(a, b) => { const step = clock.step; a.x += b.x * step; }
(a, b) => { const { step } = clock; a.x += b.x * step; a.y += step; }
() => { total++; }
(a, b, entity) => { log(idOf(entity)); }
(a, b) => { total += b.x; b.y = 1; }
((a, b) => { a.x = b.x; })
(a, b) => { (b?.x)(); }
(a, b) => { new (b?.x)(); }
(a, b) => { (b?.x).run(); }
(a, b) => { (b?.x)\`text\`; }
(a, b) => { log(delete b?.x); }
(a, b) => { return log(a.x), log(b.x); }
(a, b) => (log(a.x), log(b.x))
(a, b) => { const f = function () { return eval("b.x") }; log(f(), a.x); }
(a, b) => { const k = log(1)
  // -----
  a.m[k] = 5
}
(a, b) => { const m = a.m
  const k = log(1) /* ; */
  m[k] = 5 // {
  m[log(2)] = 6
}
(a, b) => { const k = table[1] // first:
  b?.x
  a.x = k
}
(a, b) => { const k = log // "
  /* +
  */ b && log(1)
  a.x = k(1)
}
(a, b) => { const o = {}
  b?.x
  a.x = o === undefined ? 1 : 2
}
(a, b) => { const f = function () { return 4 }
  b?.x
  a.x = f()
}
(a, b) => { const r = /-/
  b?.x
  a.x = r.test("-") ? 1 : 2
}
(a, b) => { const s = "//"
  b?.x
  a.x = s.length
}
(a, b) => { let n = 1
  n++
  b?.x
  a.x = n
}
(a, b) => { if (a.x > 3) log(a.x)
  else
    b?.m
  switch (1) { case 1:
    b?.m
  }
  { log(a.y) }
  b?.m
  a.x = 1; // one
  b?.m
}
`
  .trim()
  .split(/\n(?=[(]|function|async)/);
