import { Fn, Lazy, type IResolveContext } from 'cdktf';
import { canonical } from '../../../spec';
import type { Taken } from './tokens';

/**
 * A document as the Terraform string that evaluates to its JSON: keys sorted, nothing added. What the program says
 * stands in it as it is; only each token is encoded by Terraform.
 */
export function encode({ json, tokens }: Taken): string {
  // No text can look like a place: the quotes of a text are escaped in JSON.
  return literal(canonical(json)).replace(/\{"\$unknown":"#(\d+)"\}/g, (place, number: string) => {
    const token = tokens[Number(number)];
    return token === undefined ? place : Lazy.stringValue({ produce: context => encoded(token, context) });
  });
}

const TOKEN = /\$\{TfToken\[[\w:.-]+\]\}/g;

/** What only the program knows, and later than here (Lazy), is text by now: Terraform would take it for an expression. */
function encoded(token: unknown, context: IResolveContext): string {
  if (context.suppressBraces) return Fn.jsonencode(typeof token === 'string' ? quoted(token) : token);
  if (typeof token !== 'string') {
    const value: unknown = context.resolve(token);
    const json = canonical(value);
    return value === undefined || hasTemplate(json) ? Fn.jsonencode(token) : literal(json);
  }
  const text = token.replace(TOKEN, found => {
    const value: unknown = context.resolve(found);
    return typeof value === 'string' && !hasTemplate(value) ? value : found;
  });
  return text.search(TOKEN) < 0 ? literal(JSON.stringify(text)) : Fn.jsonencode(quoted(text));
}

const hasTemplate = (text: string): boolean => /[$%]\{/.test(text);

/**
 * JSON text that Terraform takes as it stands. Nothing in it is a template, and all of it is ASCII: Terraform composes
 * accents, even with the n of "\n", and cannot read a quote after some letters of Arabic.
 */
export function literal(json: string): string {
  return json.replace(/[$%](?=\{)|[^ -~]/g, escapedUnit);
}

/**
 * What stands between the quotes of a Terraform string that holds tokens. An accent right after a line end does not
 * survive Terraform's own encoding of it: the reconciler then says that the spec is no JSON.
 */
function quoted(text: string): string {
  return text.replace(
    new RegExp(`(${TOKEN.source})|[\\\\"$%]|[^ -~]`, 'gu'),
    (found, token: string | undefined) =>
      token ?? (found.length === 1 ? escapedUnit(found) : escapedPair(found)),
  );
}

function escapedUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function escapedPair(character: string): string {
  return `\\U${character.codePointAt(0)?.toString(16).padStart(8, '0')}`;
}
