// The editor of programs: CodeMirror with the colours of the site. It is large, so pages load this file when a reader wants to edit.
import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completeAnyWord,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript, localCompletionSource } from "@codemirror/lang-javascript";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

export interface Editor {
  readonly text: () => string;
  readonly setText: (text: string) => void;
  /** Marks a line, counted from 1, and scrolls to it; undefined for none. */
  readonly mark: (line: number | undefined) => void;
  readonly focus: () => void;
  readonly close: () => void;
}

export interface EditorOptions {
  /** What it edits, for readers who do not see it. */
  readonly label: string;
  /** Ctrl+Enter, or Cmd+Enter. */
  readonly onRun: () => void;
  readonly onChange?: () => void;
  /** Names to complete, beside those of the program. */
  readonly names?: () => Promise<readonly string[]>;
}

const colour = (name: string): string => `var(--tl-code-${name})`;

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.self, tags.null, tags.bool], color: colour("keyword") },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: colour("string") },
  { tag: tags.number, color: colour("number") },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: colour("function"),
  },
  { tag: [tags.typeName, tags.className], color: colour("type") },
  { tag: tags.comment, color: colour("comment") },
  { tag: [tags.operator, tags.punctuation, tags.bracket], color: colour("punctuation") },
]);

const look = EditorView.theme({
  "&": { color: colour("ink"), backgroundColor: "var(--tl-sunk)", fontSize: "13.5px" },
  "&.cm-focused": { outline: "2px solid var(--tl-spruce)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--tl-mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--tl-ink)", padding: "12px 0" },
  ".cm-cursor": { borderLeftColor: "var(--tl-ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--tl-ink-faint)", border: "0" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--tl-hover) 55%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--tl-code-selection)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--tl-spruce-wash)" },
  ".cm-markedLine": { backgroundColor: "var(--tl-rust-wash)" },
  ".cm-tooltip": { backgroundColor: "var(--tl-raised)", border: "1px solid var(--tl-line-strong)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--tl-spruce-fill)",
    color: "#ffffff",
  },
});

const markLine = StateEffect.define<number | undefined>();
const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marked, { effects, docChanged, state }) => {
    const effect = effects.find((one) => one.is(markLine));
    if (effect === undefined) return docChanged ? Decoration.none : marked;
    const line = effect.value as number | undefined;
    if (line === undefined || line > state.doc.lines) return Decoration.none;
    return Decoration.set(Decoration.line({ class: "cm-markedLine" }).range(state.doc.line(line).from));
  },
  provide: (field) => EditorView.decorations.from(field),
});

function completeNames(names: () => Promise<readonly string[]>): CompletionSource {
  return async (context) => {
    const word = context.matchBefore(/\w+/);
    if (word === null || (word.to - word.from < 2 && !context.explicit)) return null;
    const options = (await names()).map((label) => ({
      label,
      type: /^[A-Z]/.test(label) ? "constant" : "function",
    }));
    return { from: word.from, options, validFor: /^\w*$/ };
  };
}

/** Opens an editor in an element. Escape and then Tab leave it. */
export function openEditor(parent: HTMLElement, text: string, options: EditorOptions): Editor {
  const { label, onRun, onChange, names } = options;
  const sources: CompletionSource[] =
    names === undefined
      ? [localCompletionSource, completeAnyWord]
      : [localCompletionSource, completeNames(names)];
  const view = new EditorView({
    doc: text,
    extensions: [
      lineNumbers(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      indentOnInput(),
      indentUnit.of("  "),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ override: sources }),
      javascript({ typescript: true }),
      syntaxHighlighting(colours),
      look,
      markedLine,
      EditorView.contentAttributes.of({
        "aria-label": `${label}. Escape and then Tab leave the editor.`,
        tabindex: "0",
      }),
      EditorView.updateListener.of(({ docChanged }) => {
        if (docChanged) onChange?.();
      }),
      keymap.of([
        {
          key: "Mod-Enter",
          run: () => {
            onRun();
            return true;
          },
        },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        indentWithTab,
      ]),
    ],
    parent,
  });
  return {
    text: () => view.state.doc.toString(),
    setText: (next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } }),
    mark: (line) => {
      const effects: StateEffect<unknown>[] = [markLine.of(line)];
      if (line !== undefined && line <= view.state.doc.lines)
        effects.push(EditorView.scrollIntoView(view.state.doc.line(line).from, { y: "nearest" }));
      view.dispatch({ effects });
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
