import { CloudInitSpec, isRecord, type Path } from '../../../spec';
import type { Draft } from '../read/draft';
import { put, type Reading } from '../read/rows';
import type { Secrets } from './secrets';

/** The Secrets of machines: a spec names a variable, and the value goes into the environment of this run only. */
export class MachineSecrets {
  readonly variables = new Map<string, string>();

  constructor(readonly secrets: Secrets) {}

  /** The reference that a spec may hold, for one to a key of a Secret; undefined where that is wrong, which is reported. */
  referenceTo({ manifest }: Reading, path: Path, reference: unknown): { environment: string } | undefined {
    const value = this.secrets.referred(manifest, path, reference);
    if (value === undefined || !isRecord(reference)) return undefined;
    const { name, key, namespace = manifest.namespace } = reference;
    const words = [namespace, name, key].map(word =>
      String(word)
        .toUpperCase()
        .replace(/[^A-Z0-9]/g, '_'),
    );
    let environment = ['SECRET', ...words].join('_');
    while ((this.variables.get(environment) ?? value) !== value) environment += '_';
    this.variables.set(environment, value);
    return { environment };
  }
}

const USE_URL = 'Use image.url, or a template.';
const USE_SECRET = 'Put the value into a Secret, and name that: {secretRef: {name, key}}.';
const REFERENCES = Object.keys(CloudInitSpec.shape).filter(field => field.endsWith('From'));

/** Writes the cloud-init data of a machine whose secrets come from a Secret. */
export function machineSecrets(reading: Reading, draft: Draft, secrets: MachineSecrets): void {
  const { userData, cloudInit } = reading.manifest.spec;
  const inner = isRecord(userData) && isRecord(userData['cloudInit']) ? userData['cloudInit'] : {};
  if (inner['secretRef'] !== undefined) {
    const path = ['spec', 'userData', 'cloudInit', 'secretRef'];
    const reference = secrets.referenceTo(reading, path, inner['secretRef']);
    if (reference !== undefined) put(reading, draft, 'cloudInit.userDataFrom', reference, path);
  }
  const { image } = reading.manifest.spec;
  if (isRecord(image) && image['file'] !== undefined)
    secrets.secrets.refusesPlace(reading.manifest, ['spec', 'image', 'file'], USE_URL);
  if (cloudInit === undefined || cloudInit === null) return;
  const at = ['spec', 'cloudInit'];
  const fields = isRecord(cloudInit) ? Object.entries(cloudInit) : undefined;
  const replaced = fields?.map(([field, value]) => {
    if (!REFERENCES.includes(field) || !isRecord(value)) return [field, value];
    if (value['secretRef'] === undefined) {
      const isRefused = secrets.secrets.refusesPlace(reading.manifest, [...at, field], USE_SECRET);
      return [field, isRefused ? undefined : value];
    }
    return [field, secrets.referenceTo(reading, [...at, field, 'secretRef'], value['secretRef'])];
  });
  put(reading, draft, 'cloudInit', replaced === undefined ? cloudInit : Object.fromEntries(replaced), at);
}
