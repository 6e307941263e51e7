/** Children of numbered parents in doubly linked lists: the least that can be called a tree. -1 ends a list. */
export interface SiblingLinks {
  readonly parent: Int32Array;
  readonly next: Int32Array;
  readonly before: Int32Array;
  /** Parent -> its last child. */
  readonly last: Int32Array;
}

/** Nobody has a parent yet. */
export function createSiblingLinks(parentCount: number, childCount: number): SiblingLinks {
  const [parent, next, before] = [0, 0, 0].map(() => new Int32Array(childCount).fill(-1));
  return { parent: parent!, next: next!, before: before!, last: new Int32Array(parentCount).fill(-1) };
}

/** Gives the first `parentCount` parents all children evenly, parent by parent. */
export function shareOut(links: SiblingLinks, parentCount: number): void {
  const childCount = links.parent.length;
  for (let child = 0; child < childCount; child++) {
    append(links, child, Math.floor((child * parentCount) / childCount));
  }
}

/** Puts a child that has no parent last below one. */
export function append({ parent, next, before, last }: SiblingLinks, child: number, under: number): void {
  const sibling = last[under]!;
  parent[child] = under;
  before[child] = sibling;
  next[child] = -1;
  if (sibling >= 0) next[sibling] = child;
  last[under] = child;
}

/** Takes a child out of its parent's list. */
export function unlink({ parent, next, before, last }: SiblingLinks, child: number): void {
  const left = before[child]!;
  const right = next[child]!;
  if (left >= 0) next[left] = right;
  if (right >= 0) before[right] = left;
  else last[parent[child]!] = left;
  parent[child] = -1;
}

/** Takes the child out of its parent's list and puts it last below another. */
export function hang(links: SiblingLinks, child: number, under: number): void {
  if (links.parent[child] === under) return;
  unlink(links, child);
  append(links, child, under);
}
