import {
  resolveMachine,
  valueAt,
  type MachineClass,
  type PlacementPolicy,
  type PreparedImage,
} from '../../spec';
import { type Catalog, nameIn } from './read/catalog';
import type { Role } from './read/kinds';
import type { Manifest } from './read/manifest';
import { machineSecrets, type MachineSecrets } from './secrets/machine-secrets';
import { draftOf, type SpecPart } from './draft-of';
import type { ManifestOfKind } from './read/manifest-head';
import { put, type Reading, type Telling } from './read/rows';
import type { Draft } from './read/draft';

type Json = Record<string, unknown>;

/** What machines name, by its manifest. Those that are wrong are not in it. */
export interface Parts {
  classes: ReadonlyMap<Manifest, MachineClass>;
  images: ReadonlyMap<Manifest, PreparedImage>;
  policies: ReadonlyMap<Manifest, PlacementPolicy>;
}

export interface Context extends Telling {
  catalog: Catalog;
  parts: Parts;
  secrets: MachineSecrets;
}

/** A machine as JSON of a spec, with its class, its image and its policy written into it. */
export function machineOf(known: ManifestOfKind, context: Context): SpecPart & { json: Json } {
  const { manifest, kind } = known;
  const reading = { ...context, manifest };
  const part = draftOf(known, context, 'id');
  const { draft } = part;
  const labels = valueAt(manifest.json, ['metadata', 'labels']);
  if (labels !== undefined && labels !== null) put(reading, draft, 'labels', labels, ['metadata', 'labels']);
  if (kind.role === 'clone') sourceOf(reading, draft, context.catalog);
  const image = referred(reading, 'imageRef', 'image', context.parts.images, context.catalog);
  if (image !== undefined) {
    const { template, url, checksum, storage } = image;
    put(reading, draft, 'image', { template, url, checksum, storage }, ['spec', 'imageRef']);
  }
  const machineClass = referred(reading, 'classRef', 'class', context.parts.classes, context.catalog);
  const policy = referred(reading, 'placementRef', 'policy', context.parts.policies, context.catalog);
  machineSecrets(reading, draft, context.secrets);
  return { ...part, json: resolveMachine(draft.json, machineClass, placementOf(policy)) };
}

function placementOf(policy: PlacementPolicy | undefined): Json {
  if (policy === undefined) return {};
  const { name: _, ...placement } = policy;
  return { placement };
}

function referred<T>(
  { manifest }: Reading,
  field: string,
  role: Role,
  parts: ReadonlyMap<Manifest, T>,
  catalog: Catalog,
): T | undefined {
  const reference = manifest.spec[field] ?? undefined;
  if (reference === undefined) return undefined;
  const found = catalog.referred(manifest, ['spec', field], reference, role);
  return found && parts.get(found);
}

const PATH = ['spec', 'sourceVMRef'];

/** Writes what a clone is made from: a machine of the same manifests, or else a template of Proxmox of that name. */
function sourceOf(reading: Reading, draft: Draft, catalog: Catalog): void {
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
