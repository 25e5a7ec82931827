import { MachineSpec, NetworkSpec } from '../../../spec';
import type { Rows } from './rows';

const NETWORK = {
  each: { mac: { to: 'macAddress' } },
  takes: Object.keys(NetworkSpec.shape),
  to: 'networks',
  unnamed: 'net',
} as const;

const CLOUD_INIT: Rows = { inline: { to: 'cloudInit.userData' }, secretRef: 'read' };

/** The fields of a machine that are called otherwise here. All kinds of machine take the fields of all of them. */
export const MACHINE_ROWS: Rows = {
  id: { not: 'The name in metadata is the identity. Use "name" for another name of the guest.' },
  cluster: 'read',
  providerRef: 'read',
  classRef: 'read',
  imageRef: 'read',
  placementRef: 'read',
  template: { to: 'image.template' },
  resources: {
    within: {
      cpu: { to: 'cpu.cores' },
      memory: { to: 'memory' },
      disk: { to: 'disks.0.size', beside: { 'disks.0.name': 'root' } },
    },
  },
  network: NETWORK,
  networks: NETWORK,
  powerState: { to: 'power', words: { On: 'running', Off: 'stopped' } },
  cloudInit: 'read',
  deletionPolicy: {
    nothing:
      'deletionPolicy says what becomes of the guest when its resource is deleted in Kubernetes; here it does nothing.',
    words: ['Delete', 'Retain'],
  },
  userData: { within: { cloudInit: { within: CLOUD_INIT } } },
};

/** The fields that are called as they are in a desired state. */
export const MACHINE_FIELDS = Object.keys(MachineSpec.shape).filter(
  field => !Object.hasOwn(MACHINE_ROWS, field),
);

export const CLONE_ROWS: Rows = { ...MACHINE_ROWS, sourceVMRef: 'read', linkedClone: 'read' };
