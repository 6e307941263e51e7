/** Callbacks in TypeScript for two outputs. No line inside one begins with a parenthesis. */
export const TYPED: readonly string[] = `
(a: any, b: any): void => { a.x += b.x as number; }
(a, b) => { (a.x as any)++; --(a.y as any); }
(a, b) => { (a.x as number) = 3; (b.x as any) += 2; }
(a, b) => { <any>a.x = 3; (<any>a.y) -= b.y; (<any>b.x)++; }
(a, b) => { (a.x satisfies number) = 3; (b.x satisfies number)--; a.y! += 1; (((a.x as any)!)) *= 2; }
(a, b) => { log((a.x as any) = 3, (b.x as any)++); }
(a, b) => { (a.x as any) ||= 4; (a.y as any) &&= 5; (b.x as any) ??= 6; a.y ||= <any>7; b.y &&= b.x as any; }
(a, b) => { if (a.x > 3) (b.x as any) = 1; else (b.y as any)++; }
(a, b) => { [(a.x as any), b.x!] = [1, 2]; ({ x: (a.y as any) } = { x: 3 }); }
(a, b) => { for ((a.x as any) of [1, 2]) total++; for ((b.x as any) in { 5: 1 }) total++; }
(a, b) => { delete (a.x as any); b.x = 1; }
(a, b) => { (a as any).x = 1; (<any>b).y++; (a satisfies any).y = (b as any)!.x; }
(a, b) => { (a as any)["x"] = 1; }
(a, b) => { (a as any) = b; a.x = 1; }
(a, b) => { const { x } = b as any; a.x = x; }
(a, b) => { const x = b.x as any; a.x = (x as number) + 1; }
(a, b) => { const m = a.m as any; (m as any)[0] = 1; (m[1] as any)++; log((m as number[]).length); }
(a, b) => { (a.m as any)[0]++; (a.m[1] as any) = 5; (a.m as any)[log(2) as number] += 1; log((a.m as any).length); }
(a, b) => { [(a.m[0] as any)] = [4]; delete (a.m[1] as any); (a.m[2] as any)(); }
(a, b) => { let n: number = 0; (n as any) = "1"; a.m[n] = 5; }
(a, b) => { let n: number = 0; [(n as any)] = ["1"]; a.m[n] = 5; }
(a, b) => { let n: number = 0; for ((n as any) of ["1", "2"]) a.m[n] = 5; }
(a, b) => { let n: number = 0; (n as any) += "1"; log(a.m[n]); }
(a, b) => { for (let i = 0; i < 3; i++) { (i as any) += 0.5; a.m[i as number] = 5; } }
(a, b) => { for (let i = 0; (i as number) < 3; (i as number)++) a.m[i!] = i as number; }
(a, b) => { (total as number) += a.x; (total as any)++; }
(a, b) => { if (b as any) (b.x as any) = 1; a.y = (b as any) === undefined ? 1 : 2; }
(a, b) => { if ((b as any)!) { a.x = b!.x; a.y = <any>b.y; } }
(a, b) => { log((b as any)?.x, b?.x!, (b?.x as any) ?? 1, b!?.y); }
(a, b) => { log((b?.m as any)[0]); }
(a, b) => { (b?.x as any)(); }
(a, b) => { new (b?.x as any)(); }
(a, b) => { return a.x as number; }
(a, b) => { if (a.x > 3) return <any>(a.x = 1); return (b.x! as any); }
(a, b) => (a.x as number) = 3
(a, b) => ((a.x as number) += b.x) as any
(a, b) => a.x as number
((a, b) => { a.x = b.x; }) as any
<any>((a, b) => { a.x = b.x; })
(a, b, entity) => { log(idOf(entity as any), a.x); }
(a, b, entity) => { log(idOf(entity!), { entity }.entity === (<any>entity), a.x); }
(a, b) => { enum E { A = a.x, B } a.y = E.B; }
(a, b) => { enum E { A = 1 } a.y = E.A + b.x; }
`
  .trim()
  .split(/\n(?=[(<])/);
