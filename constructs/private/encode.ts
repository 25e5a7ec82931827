import { Fn } from 'cdktf';
import { canonical } from '../../spec';
import { mapped, putBack, type Taken } from './tokens';

/**
 * A document as the Terraform string that evaluates to its JSON: keys sorted, nothing added.
 * Terraform brings all text to Unicode's composed form; so do we, or the document would differ from its plan.
 */
export function encode({ json, tokens }: Taken): string {
  const text = canonical(json);
  if (tokens.length === 0) return literal(text);
  const sorted: unknown = JSON.parse(text);
  const expression = putBack({ json: quotedLeaves(sorted), tokens }, token =>
    typeof token === 'string' ? quoted(token) : token,
  );
  return Fn.jsonencode(expression);
}

/** Text that Terraform takes as it stands: nothing in it is a template. */
export function literal(text: string): string {
  return text.normalize('NFC').replace(/([$%])\{/g, '$1$1{');
}

function quotedLeaves(value: unknown): unknown {
  if (typeof value === 'string') return quoted(value);
  return mapped(value, quotedLeaves, quoted);
}

/** What stands between the quotes of a Terraform string, where a token begins with `${TfToken[`. */
function quoted(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\\"]/g, '\\$&')
    .replace(/[$%](?=\{(?!TfToken\[))|\p{Cc}/gu, character => `\\u${hex(character)}`);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
