import type { MachineSpec } from '../../spec';
import { CLUSTER_VARIABLES, type Environment } from './cluster-variables';

const PATHS = CLUSTER_VARIABLES.flatMap(name => [`${name}_FILE`]).concat(
  'CA_BUNDLE',
  'CLIENT_CERT',
  'CLIENT_KEY',
);

/** Every file that the variables of any cluster may name: also one whose text stands in the variable itself. */
export function filesOfConfiguration(environment: Environment): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const isPath = /^(?:PVE|PROXMOX)_/.test(name) && PATHS.some(end => name.endsWith(`_${end}`));
    return isPath && value !== '' && !value.includes('-----BEGIN') ? [value] : [];
  });
}

/** The files that the secrets and the data of a machine come from. */
export function filesOfSecrets({ cloudInit = {} }: MachineSpec): string[] {
  return Object.entries(cloudInit).flatMap(([field, value]: [string, unknown]) => {
    const isReference = field.endsWith('From') && typeof value === 'object' && value !== null;
    return isReference && 'file' in value && typeof value.file === 'string' ? [value.file] : [];
  });
}
