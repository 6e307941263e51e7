// Whether doc comments say which codes their functions throw: in the form that pages read, and all that the walk over the sources finds.
import { callGraph } from "./calls.mjs";
import { errorCodes, parseComment, throwsOf } from "./comments.mjs";
import { allExports, membersOf } from "./exports.mjs";
import { CALLS, CODES } from "./impossible.mjs";
import { codesThrownBy, functionNamed } from "./pages.mjs";

/** A code that a comment mentions and that is no part of its own, as in "`full` or `cycle`" in the middle of a condition. */
function hiddenCodes({ codes, same, notes }) {
  const known = new Set(errorCodes());
  const text = [...codes, ...same]
    .map(({ when }) => when)
    .concat(notes)
    .join(" ");
  return [...text.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code).filter((code) => known.has(code));
}

/** Comments that pages would read wrongly. */
function problemsOfForm() {
  const problems = [];
  for (const one of allExports().values()) {
    for (const { comment } of one.declarations) {
      const found = throwsOf(parseComment(comment));
      const at = `${one.name} of ${one.source}`;
      for (const text of found.unread)
        problems.push(`${at}: a part of @throws begins with no code, "as \`f\`" or "what": ${text}`);
      for (const code of hiddenCodes(found))
        problems.push(`${at}: \`${code}\` is inside of another part of @throws; put a semicolon before it`);
      for (const { name } of found.same)
        if (functionNamed(name, one) === undefined)
          problems.push(`${at}: @throws as \`${name}\`, which is no export`);
    }
  }
  return problems;
}

/** Codes that a function can throw and does not document, codes that no comment names, and exceptions that are not needed. */
export function problemsOfThrows() {
  const graph = callGraph();
  const problems = problemsOfForm();
  const exceptions = CODES.flatMap(([names, codes]) =>
    names.split(/\s+/).flatMap((name) => codes.split(" ").map((code) => `${name} ${code}`)),
  );
  const needed = new Set();
  const documented = new Set();
  for (const one of allExports().values()) {
    const codes = codesThrownBy(one);
    for (const code of codes.keys()) documented.add(code);
    for (const { comment } of membersOf(one))
      for (const { code } of throwsOf(comment).codes) documented.add(code);
    for (const [code, way] of graph.codesOf(one.source, one.declaredName)) {
      if (codes.has(code)) continue;
      const exception = `${one.name} ${code}`;
      if (exceptions.includes(exception)) needed.add(exception);
      else
        problems.push(
          `${one.name} of ${one.source} can throw \`${code}\` and does not document it: ${way.join(" > ")}`,
        );
    }
  }
  for (const code of errorCodes())
    if (!documented.has(code) && code !== "internal-error")
      problems.push(`no function documents \`${code}\``);
  for (const exception of exceptions)
    if (!needed.has(exception)) problems.push(`impossible.mjs: ${exception} is not needed any more`);
  for (const call of CALLS.keys())
    if (!graph.isCall(call)) problems.push(`impossible.mjs: there is no call ${call} any more`);
  return problems;
}
