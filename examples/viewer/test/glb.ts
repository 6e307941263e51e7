/** A .glb file of JSON and bytes. */
export function glbOf(json: unknown, bytes: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const [textLength, bytesLength] = [text.length, bytes.length].map(
    (length) => Math.ceil(length / 4) * 4,
  ) as [number, number];
  const file = new Uint8Array(12 + 8 + textLength + (bytesLength > 0 ? 8 + bytesLength : 0)).fill(0x20);
  const view = new DataView(file.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, file.length, true);
  view.setUint32(12, textLength, true);
  view.setUint32(16, 0x4e4f534a, true);
  file.set(text, 20);
  if (bytesLength > 0) {
    view.setUint32(20 + textLength, bytesLength, true);
    view.setUint32(24 + textLength, 0x004e4942, true);
    file.set(bytes, 28 + textLength);
  }
  return file;
}

/** A file of many nodes, of which every tenth has a mesh of its own: bands of triangles. @param bytes of its buffer, about. */
export function largeGlb(nodes: number, bytes: number): Uint8Array<ArrayBuffer> {
  const meshes = Math.ceil(nodes / 10);
  const corners = Math.floor(bytes / meshes / 12 / 3) * 3;
  const buffer = new Float32Array(meshes * corners * 3);
  for (let at = 0; at < buffer.length; at++) buffer[at] = ((at * 7919) % 1000) / 1000;
  const size = corners * 12;
  /** The first of each hundred has the others below it, and the first of all those of the other hundreds. */
  const childrenOf = (at: number): number[] => {
    const own = Array.from({ length: Math.min(99, nodes - at - 1) }, (_, one) => at + one + 1);
    return at > 0
      ? own
      : [...own, ...Array.from({ length: Math.ceil(nodes / 100) - 1 }, (_, one) => (one + 1) * 100)];
  };
  const json = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: Array.from({ length: nodes }, (_, at) => ({
      name: `Node ${at}`,
      translation: [(at % 100) * 2, Math.floor(at / 100) % 100, Math.floor(at / 10_000)],
      ...(at % 10 === 0 && { mesh: at / 10 }),
      ...(at % 100 === 0 && { children: childrenOf(at) }),
    })),
    meshes: Array.from({ length: meshes }, (_, at) => ({ primitives: [{ attributes: { POSITION: at } }] })),
    accessors: Array.from({ length: meshes }, (_, at) => ({
      bufferView: at,
      componentType: 5126,
      count: corners,
      type: "VEC3",
      min: [0, 0, 0],
      max: [1, 1, 1],
    })),
    bufferViews: Array.from({ length: meshes }, (_, at) => ({
      buffer: 0,
      byteOffset: at * size,
      byteLength: size,
    })),
    buffers: [{ byteLength: meshes * size }],
  };
  return glbOf(json, new Uint8Array(buffer.buffer));
}
