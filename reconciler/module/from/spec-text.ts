import { partsOf, quotedTemplate, type TextPart } from './template';
import { Expression, onLines } from '../../report/hcl-value';
import { hclText } from '../../report/hcl-text';

/** What a stack says of a machine or a snapshot, in the words of HCL. */
export interface SaidInHcl {
  /** Its fields; where this is undefined the text is no JSON that can be taken apart. */
  fields: Readonly<Record<string, unknown>> | undefined;
  /** Whether Terraform makes the very text of the stack of these fields. */
  isSame: boolean;
  /** An expression that gives that very text. */
  text: (indent: string) => Expression;
}

const MOST_REPLACED = 8;

/**
 * The JSON text that a stack gives as a spec, as HCL. The text is a trigger: where one letter of it is another, Terraform
 * replaces the revision. Terraform's `jsonencode` writes `<`, and letters that are not ASCII, in another way than a stack.
 */
export function saidInHcl(template: string): SaidInHcl {
  const parts = partsOf(template);
  const raw = (): Expression => new Expression(quotedTemplate(parts));
  const fields = fieldsOf(parts);
  if (fields === undefined) return { fields, isSame: false, text: raw };
  const hasExpressions = parts.some(part => 'expression' in part);
  const wanted = marked(parts);
  const made = encoded(fields);
  const isSame = made === wanted;
  const replaced = isSame ? [] : replacements(made);
  const mended = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), made);
  // what is replaced could stand in a value that only Terraform knows, too
  const mends = mended === wanted && (isSame || !hasExpressions) && replaced.length <= MOST_REPLACED;
  const text = (indent: string): Expression =>
    mends ? new Expression(mending(`jsonencode(${onLines(fields, indent)})`, replaced)) : raw();
  return { fields, isSame, text };
}

const MARK = '\uE000';

/** The text with each expression as a mark: what is compared. */
function marked(parts: readonly TextPart[]): string {
  let number = 0;
  return parts.map(part => ('text' in part ? part.text : `"${MARK}${number++}${MARK}"`)).join('');
}

function fieldsOf(parts: readonly TextPart[]): Record<string, unknown> | undefined {
  const codes = parts.flatMap(part => ('expression' in part ? [innerOf(part.expression)] : []));
  if (codes.includes(undefined) || parts.some(part => 'text' in part && part.text.includes(MARK))) return;
  try {
    const json: unknown = JSON.parse(marked(parts));
    const fields = withExpressions(json, codes);
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields)
      ? { ...fields }
      : undefined;
  } catch {
    return undefined;
  }
}

const JSON_OF = 'jsonencode(';

/** What a stack encodes of a value that only Terraform knows; undefined where it is anything else. */
function innerOf(code: string): string | undefined {
  return code.startsWith(JSON_OF) && code.endsWith(')') ? code.slice(JSON_OF.length, -1) : undefined;
}

/** A marked text that was taken apart, with its expressions in their places. */
class Marked extends Expression {
  constructor(
    code: string,
    readonly mark: string,
  ) {
    super(code);
  }
}

function withExpressions(value: unknown, codes: readonly (string | undefined)[]): unknown {
  if (typeof value === 'string') {
    const number = value.startsWith(MARK) ? Number(value.slice(1, -1)) : -1;
    const code = codes[number];
    return code === undefined ? value : new Marked(code, value);
  }
  if (Array.isArray(value)) return value.map(each => withExpressions(each, codes));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withExpressions(each, codes)]));
}

/** As Terraform's jsonencode writes a value: keys in their order, and letters for HTML escaped. */
function encoded(value: unknown): string {
  if (value instanceof Marked) return `"${value.mark}"`;
  if (typeof value === 'string') return encodedText(value);
  if (Array.isArray(value)) return `[${value.map(encoded).join(',')}]`;
  if (typeof value !== 'object' || value === null) return encodedPlain(value);
  const keys = Object.keys(value).sort((one, other) => (one < other ? -1 : 1));
  const entries = new Map<string, unknown>(Object.entries(value));
  return `{${keys.map(key => `${encodedText(key)}:${encoded(entries.get(key))}`).join(',')}}`;
}

// Of another form than any text of a stack: then the text is written as it stands.
const OTHERWISE = '\uFFFF';

// Terraform composes accents; its numbers have no exponent; of control characters it writes some in two ways.
function encodedText(text: string): string {
  const isCertain =
    text.normalize('NFC') === text && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029]/.test(text);
  if (!isCertain) return OTHERWISE;
  return JSON.stringify(text).replace(/[<>&]/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

function encodedPlain(value: unknown): string {
  const text = String(value);
  return text.includes('e') && typeof value === 'number' ? OTHERWISE : text;
}

/** What must be replaced in a text of Terraform so that it is the one of the stack. */
function replacements(made: string): [from: string, to: string][] {
  const html = ['<', '>', '&'].map((sign): [string, string] => [
    `\\u00${sign.charCodeAt(0).toString(16)}`,
    sign,
  ]);
  const begins = ['$', '%'].map((sign): [string, string] => [`${sign}{`, `${escaped(sign)}{`]);
  const letters = [...new Set(made.match(/[^ -~]/gu))].map((letter): [string, string] => [
    letter,
    escaped(letter),
  ]);
  return [...html, ...begins, ...letters].filter(([from]) => made.includes(from));
}

function escaped(letter: string): string {
  const units = Array.from({ length: letter.length }, (_, at) => letter.charCodeAt(at));
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function mending(code: string, replaced: readonly [string, string][]): string {
  return replaced.reduce((inner, [from, to]) => `replace(${inner}, ${hclText(from)}, ${hclText(to)})`, code);
}
