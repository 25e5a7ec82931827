import { jsonSchemas } from '../../../spec';
import { crds } from '../../kubernetes/crds/crds';
import { manifestSchema } from '../../manifests';
import { entryNamed } from '../../input/known-word';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';

/** Prints the JSON Schema of a document, for editors, or the definitions that Kubernetes needs. Asks nobody. */
export function schema(
  { out }: Surroundings,
  _: Options,
  [document = 'desired-state']: string[],
): Promise<number> {
  const all: Record<string, unknown> = {
    ...jsonSchemas(),
    manifests: manifestSchema(),
    crds: [...crds().values()].join('---\n'),
  };
  const found = entryNamed('schema', document, all);
  out(typeof found === 'string' ? found : `${JSON.stringify(found, undefined, 2)}\n`);
  return Promise.resolve(EXIT.done);
}
