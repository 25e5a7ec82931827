import { jsonSchemas } from '../../../spec';
import { manifestSchema } from '../../manifests';
import { entryNamed } from '../../input/known-word';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';

/** Prints the JSON Schema of a document, for editors. Asks nobody. */
export function schema(
  { out }: Surroundings,
  _: Options,
  [document = 'desired-state']: string[],
): Promise<number> {
  const all: Record<string, unknown> = { ...jsonSchemas(), manifests: manifestSchema() };
  out(`${JSON.stringify(entryNamed('schema', document, all), undefined, 2)}\n`);
  return Promise.resolve(EXIT.done);
}
