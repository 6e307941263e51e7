import { javascript } from "@codemirror/lang-javascript";
import { basicSetup, EditorView } from "codemirror";

/** Opens an editor in an element. @returns a function that returns its text. */
export function openEditor(parent: HTMLElement, text: string): () => string {
  const view = new EditorView({
    doc: text,
    extensions: [basicSetup, javascript({ typescript: true })],
    parent,
  });
  return () => view.state.doc.toString();
}
