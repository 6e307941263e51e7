// What happens when a row is dragged onto another one (`listenForDrops`).

/** Calls `drop` if a row of an outliner is dragged onto another one. */
export function listenForDrops<Item>(
  box: HTMLElement,
  itemAt: (event: Event) => Item | undefined,
  drop: (dragged: Item, target: Item) => void,
): void {
  const rowOf = (event: Event): Element | null => (event.target as Element).closest("[role=treeitem]");
  let dragged: Item | undefined;
  box.addEventListener("dragstart", (event) => {
    dragged = itemAt(event);
  });
  box.addEventListener("dragend", () => {
    dragged = undefined; // also if it was dropped elsewhere
  });
  box.addEventListener("dragover", (event) => {
    if (dragged === undefined) return;
    event.preventDefault(); // it can be dropped here
    rowOf(event)?.classList.add("target");
  });
  box.addEventListener("dragleave", (event) => rowOf(event)?.classList.remove("target"));
  box.addEventListener("drop", (event) => {
    rowOf(event)?.classList.remove("target");
    const target = itemAt(event);
    if (dragged === undefined) return; // a file, perhaps
    event.preventDefault();
    if (target !== undefined) drop(dragged, target);
    dragged = undefined;
  });
}
