import { closest, isRecord, type Path } from '../../../spec';
import { CLUSTER_VARIABLES } from '../../config/cluster-variables';
import { variableOf } from './secret-variables';
import { give, giveReferred, refusesPath, type SecretSources } from './give-variable';

const ALLOWED = CLUSTER_VARIABLES.map(name => `PVE_${name}`);

/** Reads `runtime.env`: entries as a container has them. False: a Secret is nowhere, and the environment has its own. */
export function runtimeVariables(sources: SecretSources): boolean {
  const { manifest, problems } = sources;
  const { runtime } = manifest.spec;
  const env: unknown = isRecord(runtime) ? (runtime['env'] ?? []) : [];
  const at = ['spec', 'runtime', 'env'];
  if (Array.isArray(env))
    return !env.map((entry: unknown, index) => fromEntry(sources, entry, [...at, index])).includes(false);
  problems.add(manifest, { path: at, allowed: 'a list of {name, value}', remedy: 'Make it one.' });
  return true;
}

function fromEntry(sources: SecretSources, entry: unknown, path: Path): boolean {
  const { manifest, problems } = sources;
  const { name, value, valueFrom } = isRecord(entry) ? entry : {};
  const variable = typeof name === 'string' && name.startsWith('PVE_') ? variableOf(name) : undefined;
  if (variable === undefined) {
    problems.add(manifest, { path: [...path, 'name'], ...unknownName(name) });
    return true;
  }
  const reference = isRecord(valueFrom) ? valueFrom['secretKeyRef'] : undefined;
  if (reference !== undefined)
    return giveReferred(sources, variable, reference, [...path, 'valueFrom', 'secretKeyRef']);
  const isSecret = /SECRET|PASSWORD|KEY/.test(variable);
  if (typeof value === 'string' && !isSecret) {
    if (!refusesPath(sources, variable, value, [...path, 'value'])) give(sources, variable, value, path);
  } else {
    const allowed = isSecret ? 'valueFrom: {secretKeyRef: {name, key}}' : 'text';
    problems.add(manifest, {
      path: [...path, 'value'],
      allowed,
      remedy: isSecret ? 'Put it into a Secret.' : 'Put it in quotes.',
    });
  }
  return true;
}

function unknownName(name: unknown): { reason: string; allowed: string; remedy: string } {
  const near = typeof name === 'string' ? closest(name, ALLOWED) : undefined;
  const remedy =
    near === undefined
      ? 'Set it in the environment of this program, or remove it.'
      : `Did you mean "${near}"?`;
  return { reason: 'is not read from here', allowed: ALLOWED.join(', '), remedy };
}
