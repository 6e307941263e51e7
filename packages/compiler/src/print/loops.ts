// The text of the loops (`loopPieces`), and of what the runtime is told (`usesText`).
import { type Analysis, mayBePromise, type Parameter } from "../callback/analyse.ts";
import { carriedName, type Edit, LoopText } from "../callback/edits.ts";
import { bitsOf } from "../callback/fields.ts";
import {
  ADJACENT,
  ANYWHERE,
  BESIDE,
  type Form,
  READS_ELEMENTS,
  READS_LIST,
  USES_FIELDS,
  USES_WHOLE,
  WRITES,
} from "../callback/uses.ts";
import { copied, made, type Piece } from "./pieces.ts";

/** The source from `start` to `end`, as it reads in a loop. */
function edited(code: string, start: number, end: number, edits: readonly Edit[], loop: LoopText): Piece[] {
  const pieces: Piece[] = [];
  let at = start;
  for (const edit of edits) {
    if (edit.start < start || edit.end > end) continue;
    if (edit.start > at) pieces.push(copied(code, at, edit.start));
    pieces.push(made(edit.text(loop), edit.start));
    at = Math.max(at, edit.end);
  }
  if (at < end) pieces.push(copied(code, at, end));
  return pieces.filter(({ text }) => text !== "");
}

/** What the runtime is told of the parameters, as text. */
export function usesText({ parameters }: Analysis): string {
  const lists = parameters.map(({ bits, fields }) => {
    const parts = [...fields].map(([name, use]) => `, ${JSON.stringify(name)}, ${bitsOf(use)}`);
    return `[${bits}${parts.join("")}]`;
  });
  return `[${lists.join(", ")}]`;
}

const ofFields = ({ parameters }: Analysis): Parameter[] =>
  parameters.filter(({ bits }) => (bits & USES_FIELDS) !== 0);

/** The function that goes through blocks, or returns the callback as it is written. */
export function loopPieces(analysis: Analysis, code: string, prefix: string): Piece[] {
  const { callback, carried } = analysis;
  const block = `${prefix}block`;
  const begins = carried.map((name) => `let ${carriedName(prefix, name)} = ${name}; `).join("");
  const ends = carried.map((name) => `${name} = ${carriedName(prefix, name)}; `).join("");
  const pieces = [
    made(`(${block}) => { if (${block} === undefined) return (`, callback.start),
    copied(code, callback.start, callback.end),
    made(`); ${headText(analysis, prefix)}${begins}${begins === "" ? "" : "try { "}`),
  ];
  for (const form of formsOf(analysis)) {
    const test = form === ANYWHERE ? "" : `if (${block}.form === ${form}) `;
    pieces.push(made(`${form === ADJACENT ? "" : "else "}${test}{ ${listsText(analysis, form, prefix)}`));
    pieces.push(...rowsPieces(analysis, code, new LoopText(form, prefix)));
    pieces.push(made(" } "));
  }
  pieces.push(made(ends === "" ? "}" : `} finally { ${ends}} }`));
  return pieces;
}

/** The function in place of the callback whose loop is a kernel. */
export function kernelCallPieces(
  { callback, kernelNames }: Analysis,
  code: string,
  prefix: string,
  number: number,
): Piece[] {
  const block = `${prefix}block`;
  const given = (kernelNames ?? []).join(", ");
  return [
    made(`(${block}) => { if (${block} === undefined) return (`, callback.start),
    copied(code, callback.start, callback.end),
    made(`); ${prefix}go(${prefix}kernel${number}, ${block}, [${given}]); }`),
  ];
}

/** The function that makes the loop of a kernel. All names that it uses are its own. */
export function kernelPieces(analysis: Analysis, code: string, prefix: string): Piece[] {
  const block = `${prefix}block`;
  const names = analysis.kernelNames ?? [];
  const given = names.map((name, at) => `${name} = ${prefix}given[${at}]`).join(", ");
  const pieces = [made(`(${block}, ${prefix}mark, ${prefix}value) => { ${headText(analysis, prefix)}`)];
  for (const form of formsOf(analysis)) {
    const test = form === ANYWHERE ? "" : `if (${block}.form === ${form}) `;
    const lists = form === ADJACENT ? "" : listsText(analysis, form, prefix);
    pieces.push(
      made(`${test}{ ${lists}return (${prefix}from, ${prefix}to, ${prefix}given) => { `),
      made(given === "" ? "" : `const ${given}; `),
      ...rowsPieces(analysis, code, new LoopText(form, prefix, true), true),
      made(" }; } "),
    );
  }
  pieces.push(made("}"));
  return pieces;
}

function formsOf(analysis: Analysis): Form[] {
  const isGuarded = ofFields(analysis).some((one) => one.isGuarded);
  return isGuarded ? [ADJACENT, BESIDE, ANYWHERE] : [ADJACENT, ANYWHERE];
}

/** Reads what does not change in a block. */
function headText(analysis: Analysis, prefix: string): string {
  const block = `${prefix}block`;
  const parts: string[] = [];
  let number = 0;
  for (const { place, fields, bits } of analysis.parameters) {
    for (const [name, use] of fields) {
      parts.push(`${prefix}${place}_${name} = ${block}.columns[${number}]`);
      if ((use.bits & (READS_ELEMENTS | READS_LIST)) !== 0)
        parts.push(`${prefix}length${place}_${name} = ${block}.lengths[${number}]`);
      number++;
    }
    if ([...fields.values()].some((use) => (use.bits & WRITES) !== 0))
      parts.push(`${prefix}marks${place} = ${block}.marks[${place}]`);
    if ((bits & USES_WHOLE) !== 0)
      parts.push(`${prefix}handles = ${block}.handles, ${prefix}indexes = ${block}.indexes`);
  }
  return parts.length === 0 ? "" : `const ${parts.join(", ")}; `;
}

/** Reads the lists of a form. */
function listsText(analysis: Analysis, form: Form, prefix: string): string {
  const block = `${prefix}block`;
  if (form === ADJACENT) return `const ${prefix}bounds = ${block}.bounds; `;
  const parts = [`${prefix}list = ${block}.rows`];
  for (const { place, isGuarded } of ofFields(analysis)) {
    if (form === ANYWHERE) parts.push(`${prefix}has${place} = ${block}.has[${place}]`);
    if (form === ANYWHERE || isGuarded) parts.push(`${prefix}list${place} = ${block}.lists[${place}]`);
  }
  return `const ${parts.join(", ")}; `;
}

/** The loop over the rows. */
function rowsPieces(analysis: Analysis, code: string, loop: LoopText, isKernel = false): Piece[] {
  const { prefix, form, row } = loop;
  const { body, parameters } = analysis;
  const at = `${prefix}at`;
  const block = `${prefix}block`;
  const pieces: Piece[] = [];
  const label = analysis.returns ? `${prefix}rows: ` : "";
  const from = isKernel ? `${prefix}from` : `${block}.from`;
  const to = isKernel ? "" : `, ${prefix}to = ${block}.to`;
  if (form === ADJACENT && isKernel) {
    pieces.push(made(`${label}for (let ${row} = ${prefix}from; ${row} < ${prefix}to; ${row}++) { `));
  } else if (form === ADJACENT) {
    const end = `${prefix}end`;
    pieces.push(
      made(`for (let ${at} = ${block}.from, ${prefix}to = ${block}.to; ${at} < ${prefix}to; ) { `),
      made(`let ${row} = ${prefix}bounds[${at}++]; const ${end} = ${prefix}bounds[${at}++]; `),
      made(`${label}for (; ${row} < ${end}; ${row}++) { `),
    );
  } else {
    const places = ofFields(analysis)
      .filter(({ isGuarded }) => form === ANYWHERE || isGuarded)
      .map(({ place }) => `, ${prefix}at${place} = ${prefix}list${place}[${at}]`);
    pieces.push(
      made(`${label}for (let ${at} = ${from}${to}; ${at} < ${prefix}to; ${at}++) { `),
      made(`const ${row} = ${prefix}list[${at}]${places.join("")}; `),
    );
  }
  pieces.push(made(basesText(analysis, loop)));
  for (const { locals, kept } of parameters) {
    for (const { name, text, at: source } of locals)
      pieces.push(made(`let ${name} = ${text(loop)}; `, source));
    if (kept !== undefined) pieces.push(made(`const ${kept} = ${loop.entity}; `, body.start));
  }
  pieces.push(...bodyPieces(analysis, code, loop));
  pieces.push(made(form === ADJACENT && !isKernel ? " } }" : " }"));
  return pieces;
}

/** Where the numbers of a row begin in columns of `array` fields, and names that a row begins with. */
function basesText({ parameters, names }: Analysis, loop: LoopText): string {
  const bases: string[] = [];
  for (const parameter of parameters)
    for (const [field, { bits }] of parameter.fields) {
      if ((bits & READS_ELEMENTS) === 0) continue;
      const at = loop.at(parameter, parameter.isGuarded);
      bases.push(`${loop.base(parameter, field)} = ${at} * ${loop.length(parameter, field)}`);
    }
  const own = names.map((name) => `${loop.prefix}${name}`).join(", ");
  return `${bases.length === 0 ? "" : `const ${bases.join(", ")}; `}${own === "" ? "" : `let ${own}; `}`;
}

function bodyPieces({ body, edits }: Analysis, code: string, loop: LoopText): Piece[] {
  const pieces = edited(code, body.start, body.end, edits, loop);
  if (body.type === "BlockStatement") return pieces;
  const isWrite = body.type === "AssignmentExpression" || body.type === "UpdateExpression";
  if (isWrite && !mayBePromise(body) && !/^[({[]/.test(pieces[0]?.text ?? "(")) return [...pieces, made(";")];
  if (isWrite && pieces[0]?.text === "{ ") return [...pieces, made(";")];
  if (mayBePromise(body) && !loop.isKernel)
    return [made(`${loop.prefix}block.returned((`, body.start), ...pieces, made("));")];
  return [made("void (", body.start), ...pieces, made(");")];
}
