import { Fn, Token, Tokenization } from 'cdktf';

/** A document without its tokens, and the tokens that stood in it. */
export interface Taken {
  /** Each token stands in it as `{"$unknown": "#<place in tokens>"}`. */
  readonly json: unknown;
  readonly tokens: readonly unknown[];
}

/** Takes the tokens out of a document, so that the rest can be checked now. */
export function takeTokens(document: unknown): Taken {
  const tokens: unknown[] = [];
  const take = (given: unknown): unknown => {
    const value = typeof given === 'string' ? wellFormed(withTextTokens(given)) : given;
    return isToken(value) ? { $unknown: `#${tokens.push(value) - 1}` } : mapped(value, take, wellFormed);
  };
  return { json: take(document), tokens };
}

/** Puts something in the place of each token: the token itself, or what stands for it. */
export function putBack({ json, tokens }: Taken, as: (token: unknown) => unknown): unknown {
  const put = (value: unknown): unknown =>
    isPlace(value) ? as(tokens[Number(value.$unknown.slice(1))]) : mapped(value, put);
  return put(json);
}

/** The value with each of its parts changed; value classes become their JSON. */
function mapped(
  value: unknown,
  each: (part: unknown) => unknown,
  eachKey = (key: string): string => key,
): unknown {
  if (Array.isArray(value)) return value.map(part => each(part));
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return each(value.toJSON());
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [eachKey(key), each(part)]));
}

/** True for a value that only Terraform knows. */
export function isToken(value: unknown): boolean {
  if (Token.isUnresolved(value)) return true;
  // A map token stands in the key of a map.
  return (
    typeof value === 'object' && value !== null && Object.keys(value).some(key => Token.isUnresolved(key))
  );
}

/** A number that only Terraform knows stands in text as a number far from any that people write. */
function withTextTokens(text: string): string {
  return text.replace(/-8\.\d+e\+298/g, digits => {
    const token = Tokenization.reverseNumber(Number(digits));
    return token === undefined ? digits : Token.asString(Fn.tostring(token));
  });
}

// Half a character is no text: nobody who reads JSON has to take it.
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\u{FFFD}');
}

function isPlace(value: unknown): value is { $unknown: string } {
  return typeof value === 'object' && value !== null && '$unknown' in value;
}
