import { Tokenization } from 'cdktf';
import { CLOUD_INIT_DATA } from '../../../spec';
import { SpecError } from '../../values/spec-error';
import { isOfKind } from '../copies';
import { tokenKeys } from './keys';
import { isToken } from './tokens';

/** Refuses, at its construct, what becomes something else than it looks like, and a key that only Terraform knows. */
export function refuseMisused(path: string, given: unknown): void {
  const says = misused(given);
  if (says !== undefined) throw new SpecError(path, says);
  const fields = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  const field = fields.find(([, value]) => tokenKeys(value).length > 0)?.[0];
  if (field === undefined) return;
  throw new SpecError(
    path,
    `${field}: a key in it is a value that only Terraform knows; allowed: keys that are written. Write the key, and put the value that Terraform knows behind it.`,
  );
}

/**
 * What a program gave where it becomes something else than it looks like: a sentence that begins with the place.
 * Undefined: nothing.
 */
function misused(document: unknown, place = ''): string | undefined {
  if (isOfKind(document, 'Reference')) return inData(document, place);
  if (typeof document !== 'object' || document === null || Tokenization.isResolvable(document))
    return undefined;
  if (isToken(document)) return undefined;
  if (Array.isArray(document) && document.some(isListToken)) return spread(place);
  const inner = (key: string): string =>
    Array.isArray(document) ? `${place}[${key}]` : place === '' ? key : `${place}.${key}`;
  for (const [key, value] of Object.entries(document)) {
    const found = misused(value, inner(key));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Cloud-init data is any JSON: nobody reads a reference in it. */
function inData(reference: unknown, place: string): string | undefined {
  const field = CLOUD_INIT_DATA.find(name => place.split(/[.[]/).includes(name));
  if (field === undefined) return undefined;
  return `${place}: a Reference stands in the data, where nobody reads it: the guest would get the text ${JSON.stringify(reference)}; allowed: text and plain values. Put the whole data where it points, and give ${field}From: the Reference in the place of ${field}.`;
}

/** What cdktf puts into a list in the place of one that only Terraform knows. */
function isListToken(item: unknown): boolean {
  return typeof item === 'string' && item.startsWith('#{TfToken[');
}

function spread(place: string): string {
  return `${place}: a list that only Terraform knows is spread into it, and nobody knows its entries yet; allowed: such a list as a whole. Write Fn.concat([theList, ["another"]]), with Fn of cdktf.`;
}
