import { nameIn, type Catalog } from './read/catalog';
import type { Draft } from './read/draft';
import { put, type Reading } from './read/rows';

const PATH = ['spec', 'sourceVMRef'];

/** Writes what a clone is made from: a machine of the same manifests, or else a template of Proxmox of that name. */
export function sourceOf(reading: Reading, draft: Draft, catalog: Catalog): void {
  const { manifest, problems, notes } = reading;
  const { sourceVMRef, linkedClone } = manifest.spec;
  if (sourceVMRef === undefined || sourceVMRef === null) {
    const remedy = 'Name a machine of these manifests, or a template of Proxmox.';
    problems.add(manifest, { path: PATH, reason: 'is required', allowed: '{name}', remedy });
    return;
  }
  const named = nameIn(manifest, PATH, sourceVMRef, problems);
  if (named === undefined) return;
  const machine = catalog.find('machine', named.namespace, named.name);
  if (machine !== undefined && machine.namespace !== manifest.namespace) {
    const remedy = 'Clone it within its namespace, or make a template of it.';
    problems.add(manifest, {
      path: PATH,
      reason: 'is a machine of another namespace, and of another owner',
      remedy,
    });
  } else
    put(reading, draft, machine === undefined ? 'image.template' : 'image.machine', named.name, [
      ...PATH,
      'name',
    ]);
  if (linkedClone === false) put(reading, draft, 'image.clone', 'full', ['spec', 'linkedClone']);
  else if (linkedClone !== undefined && linkedClone !== true) {
    const path = ['spec', 'linkedClone'];
    problems.add(manifest, { path, shown: true, allowed: 'true or false', remedy: 'Use one of them.' });
  } else if (linkedClone === true && machine !== undefined)
    notes.push(`VMClone ${manifest.name}: its source is a machine and no template: the clone is a full one.`);
}
