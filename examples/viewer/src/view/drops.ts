// How files come: dropped on the page, or chosen (`onFiles`).
import { at } from "./elements.ts";

/** Calls a function with the files that are dropped anywhere on the page, or chosen by the button. */
export function onFiles(take: (files: readonly File[]) => void): void {
  const input = at<HTMLInputElement>("files");
  at("choose").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = ""; // the same file can be chosen again
    if (files.length > 0) take(files);
  });

  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault(); // they can be dropped here
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) document.body.classList.remove("dropping"); // it has left the page
  });
  addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (!hasFiles(event)) return;
    event.preventDefault();
    take([...event.dataTransfer!.files]);
  });
}
