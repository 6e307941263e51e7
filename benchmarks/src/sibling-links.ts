/** Children of numbered parents in doubly linked lists: the least that can be called a tree. -1 ends a list. */
export interface SiblingLinks {
  readonly parent: Int32Array;
  readonly next: Int32Array;
  readonly before: Int32Array;
  /** Parent -> its last child. */
  readonly last: Int32Array;
}

/** Children are shared out evenly, parent by parent. */
export function createSiblingLinks(parentCount: number, childCount: number): SiblingLinks {
  const [parent, next, before] = [0, 0, 0].map(() => new Int32Array(childCount).fill(-1));
  const links = { parent: parent!, next: next!, before: before!, last: new Int32Array(parentCount).fill(-1) };
  for (let child = 0; child < childCount; child++) {
    append(links, child, Math.floor((child * parentCount) / childCount));
  }
  return links;
}

function append({ parent, next, before, last }: SiblingLinks, child: number, under: number): void {
  const sibling = last[under]!;
  parent[child] = under;
  before[child] = sibling;
  next[child] = -1;
  if (sibling >= 0) next[sibling] = child;
  last[under] = child;
}

/** Takes the child out of its parent's list and puts it last below another. */
export function hang(links: SiblingLinks, child: number, under: number): void {
  const { parent, next, before, last } = links;
  if (parent[child] === under) return;
  const left = before[child]!;
  const right = next[child]!;
  if (left >= 0) next[left] = right;
  if (right >= 0) before[right] = left;
  else last[parent[child]!] = left;
  append(links, child, under);
}
