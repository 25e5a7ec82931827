import { InputError } from '../../errors';
import { hclText } from '../../report/hcl-text';
import { Expression } from '../../report/hcl-value';

/** A part of a text in Terraform's JSON: what stands there as it is, or what Terraform evaluates. */
export type TextPart = { text: string } | { expression: string };

/** The parts of a text in Terraform's JSON. Throws where it holds a directive such as `%{ if }`. */
export function partsOf(template: string): TextPart[] {
  const parts: TextPart[] = [];
  let text = '';
  let at = 0;
  while (at < template.length) {
    if (/^([$%])\1\{/.test(template.slice(at, at + 3))) {
      text += template.slice(at + 1, at + 3);
      at += 3;
    } else if (template.startsWith('%{', at)) {
      throw new InputError(`a directive of a template is not translated: ${template.slice(at, at + 40)}`);
    } else if (template.startsWith('${', at)) {
      const end = endOfExpression(template, at + 2);
      if (text !== '') parts.push({ text });
      parts.push({ expression: template.slice(at + 2, end).trim() });
      text = '';
      at = end + 1;
    } else {
      text += template[at] ?? '';
      at += 1;
    }
  }
  return text === '' ? parts : [...parts, { text }];
}

/** The places of the letters that Terraform evaluates in a text. None in a text that it cannot read. */
export function codeIn(template: string): ReadonlySet<number> {
  const code = new Set<number>();
  try {
    for (let at = 0; at < template.length; at++) {
      if (/^([$%])\1\{/.test(template.slice(at, at + 3))) at += 2;
      else if (/^[$%]\{/.test(template.slice(at, at + 2))) at = endOfExpression(template, at + 2, code);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return new Set();
  }
  return code;
}

/** A value of Terraform's JSON as a value of HCL: plain values, and expressions where Terraform evaluates something. */
export function valueOf(json: unknown): unknown {
  if (typeof json === 'string') return valueOfText(json);
  if (Array.isArray(json)) return json.map(valueOf);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, valueOf(value)]));
}

function valueOfText(template: string): string | Expression {
  const parts = partsOf(template);
  const [only] = parts;
  if (only === undefined) return '';
  if (parts.length === 1) return 'text' in only ? only.text : new Expression(only.expression);
  return new Expression(quotedTemplate(parts));
}

/** The parts as one text of HCL in quotes. */
export function quotedTemplate(parts: readonly TextPart[]): string {
  const inner = parts.map(part =>
    'text' in part ? hclText(part.text).slice(1, -1) : `\${${part.expression}}`,
  );
  return `"${inner.join('')}"`;
}

/** Where an expression ends. The places of its letters that are in no text are added to `code`. */
function endOfExpression(template: string, start: number, code = new Set<number>()): number {
  let depth = 0;
  for (let at = start; at < template.length; at++) {
    const sign = template[at];
    if (sign === '"') at = endOfText(template, at + 1, code);
    else if (sign === '}' && depth-- === 0) return at;
    else {
      if (sign === '{') depth += 1;
      code.add(at);
    }
  }
  throw new InputError(`an expression has no end: ${template.slice(start, start + 40)}`);
}

function endOfText(template: string, start: number, code: Set<number>): number {
  for (let at = start; at < template.length; at++) {
    const sign = template[at];
    if (sign === '\\') at += 1;
    else if (sign === '"') return at;
    else if ((sign === '$' || sign === '%') && template[at + 1] === '{' && template[at - 1] !== sign)
      at = endOfExpression(template, at + 2, code);
  }
  throw new InputError(`a text in an expression has no end: ${template.slice(start, start + 40)}`);
}
