import { InputError } from '../../../reconciler/errors';
import { readYaml } from '../../../reconciler/input/read-yaml';
import type { Document } from '../../../reconciler/manifests';

/** The documents of a text of YAML. Throws where anything in it is wrong. */
export async function documentsOf(text: string, name: string): Promise<Document[]> {
  const { documents, faults } = await readYaml(text, name);
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return documents;
}
