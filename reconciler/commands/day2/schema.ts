import { closest, jsonSchemas } from '../../../spec';
import { manifestSchema } from '../../manifests';
import { InputError } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';

/** Prints the JSON Schema of a document, for editors. Asks nobody. */
export function schema(
  { out }: Surroundings,
  _: Options,
  [document = 'desired-state']: string[],
): Promise<number> {
  const all: Record<string, unknown> = { ...jsonSchemas(), manifests: manifestSchema() };
  const found = Object.hasOwn(all, document) ? all[document] : undefined;
  if (found === undefined) {
    const names = Object.keys(all);
    const near = closest(document, names);
    const meant = near === undefined ? '' : ` Did you mean ${near}?`;
    throw new InputError(`schema ${document} is not known; allowed: ${names.join(', ')}.${meant}`);
  }
  out(`${JSON.stringify(found, undefined, 2)}\n`);
  return Promise.resolve(EXIT.done);
}
