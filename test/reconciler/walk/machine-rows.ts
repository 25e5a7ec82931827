import { join } from 'node:path';
import { secretsOf } from '../../../reconciler/config/cloud-init-secrets';
import { machine } from '../../support/spec/machine';
import { cluster, mark, present } from '../../support/reconciler/observed';
import { runs } from './live-rows';
import { absent, plan, plans, plansOn, problems, type Json } from './planned';
import type { Proof } from './proof';

const running = present();
const two = present(
  { scsi0: 'slow:vm-101-disk-0,size=1G', scsi1: 'slow:vm-101-disk-1,size=1G' },
  { mark: mark({ disks: { root: 'scsi0', data: 'scsi1' } }) },
);
const disk = (more: Json = {}): Json => ({ name: 'data', size: '1G', storage: 'slow', ...more });
const disks = (...more: Json[]): Json => ({ disks: more.map(disk) });
const card = (more: Json = {}): Json => ({ networks: [{ name: 'lan', ...more }] });
const address = (family: 'ipv4' | 'ipv6' | 'staticIP', ...values: Json[]): Proof =>
  plans(...values.map(value => card({ [family]: value })));
// a kind of storage that cannot preallocate
const thinOnly = cluster({
  nodes: cluster().nodes.map(node => ({
    ...node,
    storages: [
      {
        ...{ name: 'slow', active: true, content: ['images'], type: 'lvmthin' },
        shared: false,
        available: 1e12,
      },
    ],
  })),
});
const password = (...given: [Json, Record<string, string>][]): Proof => ({
  differ: () =>
    given.map(([passwordFrom, environment]) => {
      const spec = machine({ cloudInit: { passwordFrom } });
      return plan({ ...disks({}), cloudInit: { passwordFrom } }, absent, {
        secrets: { ...secretsOf(spec, environment) },
      });
    }),
});
// a text that begins with a line that cloud-init knows
const SCRIPT = join(__dirname, '../../../.ci/run');
const DATA = ['userData', 'vendorData', 'metaData', 'networkData'] as const;
const TEXTS = ['#cloud-config\na: 1\n', '#cloud-config\na: 2\n'];
const isos = {
  node: 'pve1',
  storages: ['local', 'slow'].map(name => ({ name, shared: false })),
  files: [],
  unread: [],
};
const kept = present({}, { mark: mark({ dataIsoPlaces: ['local@pve1', 'slow@pve1'] }) });
/** What is planned about the ISO of each of some data. */
const data = (...given: [Json, Record<string, string>?][]): Proof => ({
  differ: () =>
    given.map(([cloudInit, environment = {}]) => {
      const secrets = secretsOf(machine({ cloudInit }), environment);
      return plan({ ...disks({}), cloudInit }, kept, { facts: { 'isos pve1': isos }, secrets });
    }),
});
const dataRows = Object.fromEntries(
  DATA.flatMap(name => [
    [`cloudInit.${name}`, data(...TEXTS.map((text): [Json] => [{ [name]: text }]))],
    [
      `cloudInit.${name}From.environment`,
      data(
        ...['ONE', 'TWO'].map((environment): [Json, Record<string, string>] => [
          { [`${name}From`]: { environment } },
          { ONE: TEXTS[0] ?? '', TWO: TEXTS[1] ?? '' },
        ]),
      ),
    ],
    [
      `cloudInit.${name}From.file`,
      data([{ [`${name}From`]: { file: '/no/such/file' } }], [{ [`${name}From`]: { file: SCRIPT } }]),
    ],
  ]),
);
const SHUTDOWN =
  'runs/lines/shutdown-options › shutdownTimeout ends a shutdown; forceStop says whether the machine is then stopped hard';
/** What is planned about HA for a machine that it does not care for, where its version is not known. */
const inHa = (...said: Json[]): Proof => ({
  differ: () => said.map(ha => plan({ ha }, running, { facts: { ha: 'none' } }, cluster({ version: '' }))),
});
const HASH = '$6$salt$hash';

/** How a machine is made, changed, kept and left. */
export const MACHINE_ROWS: Readonly<Record<string, Proof>> = {
  ...dataRows,
  'cloudInit.storage': data(...['local', 'slow'].map((storage): [Json] => [{ userData: '#!', storage }])),
  rebuildOn: plansOn(
    running,
    { image: { iso: 'local:iso/a.iso' } },
    { image: { iso: 'local:iso/a.iso' }, rebuildOn: ['image'] },
  ),
  onImageChange: plansOn(
    running,
    { image: { iso: 'local:iso/a.iso' } },
    { image: { iso: 'local:iso/a.iso' }, onImageChange: 'keep' },
    { image: { iso: 'local:iso/a.iso' }, onImageChange: 'rebuild' },
  ),
  revertTo: {
    test: 'runs/snapshots/revert › goes back once for each value, and is brought to its spec then',
  },
  'ha.group': inHa({ group: 'blue' }, { group: 'green' }),
  'ha.maxRestart': inHa({ maxRestart: 2 }, { maxRestart: 3 }),
  'ha.maxRelocate': inHa({ maxRelocate: 2 }, { maxRelocate: 3 }),
  'ha.failback': inHa({ failback: true }, { failback: false }),
  snapshotBeforeChange: {
    test: 'runs/snapshots/before-change › snapshotBeforeChange takes one before a risky change, and closes it',
  },
  'snapshotBeforeChange.keep': {
    test: 'runs/snapshots/before-change › keep says how many stay; what others took stays',
  },
  mode: runs('reconcile', {}, { mode: 'observe' }, { mode: 'paused' }),
  power: plansOn(running, { power: 'running' }, { power: 'stopped' }),
  shutdownTimeout: { test: SHUTDOWN },
  forceStop: { test: SHUTDOWN },
  keptVolumes: {
    test: 'runs/destroy/kept-volumes › the word of the spec lets it go by Terraform too, which has no spec',
  },
  restart: plansOn(
    present({ cores: '1' }),
    { cpu: { cores: 2 } },
    { cpu: { cores: 2 }, restart: 'whenNeeded' },
  ),
  clear: plansOn(present({ balloon: '512' }), {}, { clear: ['balloon'] }),
  'timeouts.create': {
    test: 'runs/waits › timeouts.create ends a creation, whatever timeouts.apply says',
  },
  'timeouts.apply': {
    test: 'runs/waits › timeouts.apply ends the wait for a lock, whatever timeouts.create says',
  },
  'timeouts.destroy': plans({}, { timeouts: { destroy: '7s' } }),
  'timeouts.agent': {
    test: 'runs/lines/wait-for-guest › what never comes is a warning, and no failure: %j',
  },
  'timeouts.cloudInit': {
    test: 'runs/cloud-init/completion › %s is a warning, and no failure',
  },
  'cloudInit.waitForCompletion': {
    test: 'runs/cloud-init/completion › waits until cloud-init is done, and not again in a run that starts nothing',
  },
  waitFor: { test: 'runs/lines/wait-for-guest › it waits for the agent' },
  'waitFor.address.family': {
    test: 'runs/lines/wait-for-guest › it waits for an address of the kind that is asked for',
  },
  'waitFor.address.interface': runs(
    'reconcile',
    ...['eth0', 'eth9'].map(name => ({
      image: { template: 'ubuntu-22.04' },
      agent: true,
      networks: [{ name: 'lan', ipv4: { address: '192.0.2.10/24' } }],
      timeouts: { agent: '1s' },
      waitFor: { address: { interface: name } },
    })),
  ),
  'waitFor.address.cidr': {
    test: 'runs/lines/wait-for-guest › it waits for an address of the kind that is asked for',
  },
  'cpu.threadsPerCore': {
    differ: () => [{}, { threadsPerCore: 2 }].map(more => problems({}, [{ cpu: { cores: 3, ...more } }])),
  },
  'cloudInit.passwordFrom.environment': password(
    [{ environment: 'ONE' }, { ONE: HASH, TWO: `${HASH}2` }],
    [{ environment: 'TWO' }, { ONE: HASH, TWO: `${HASH}2` }],
  ),
  'cloudInit.passwordFrom.file': password([{ file: '/no/such/file' }, {}], [{ file: __filename }, {}]),
  'cloudInit.passwordVersion': plansOn(
    present({ cipassword: '**********' }, { mark: mark({ passwordVersion: 1 }) }),
    { cloudInit: { passwordFrom: { environment: 'X' } } },
    { cloudInit: { passwordFrom: { environment: 'X' }, passwordVersion: 2 } },
  ),
  'disks[].name': plansOn(
    two,
    disks({ name: 'root' }, { name: 'data' }),
    disks({ name: 'root' }, { name: 'logs' }),
  ),
  'disks[].slot': plans(disks({ slot: 'scsi1' }), disks({ slot: 'scsi2' })),
  'disks[].type': plans(disks({}), disks({ type: 'virtio' })),
  'disks[].format': plans(disks({}), disks({ format: 'qcow2' })),
  'disks[].allocation': {
    differ: () => [{}, { allocation: 'thick' }].map(more => plan(disks(more), absent, {}, thinOnly)),
  },
  'disks[].existingVolume': plans(disks({}), {
    disks: [{ name: 'data', existingVolume: 'slow:vm-9-disk-0' }],
  }),
  'disks[].onRemove': plansOn(
    two,
    disks({ name: 'root' }, {}),
    disks({ name: 'root' }, { onRemove: 'delete' }),
  ),
  'networks[].name': plans(card(), card({ name: 'dmz' })),
  'networks[].ipv4.address': address('ipv4', { address: '192.0.2.10/24' }, { address: '192.0.2.11/24' }),
  'networks[].ipv4.gateway': address(
    'ipv4',
    { address: '192.0.2.10/24' },
    { address: '192.0.2.10/24', gateway: '192.0.2.1' },
  ),
  'networks[].ipv6.address': address('ipv6', { address: '2001:db8::5/64' }, { address: '2001:db8::6/64' }),
  'networks[].ipv6.gateway': address(
    'ipv6',
    { address: '2001:db8::5/64' },
    { address: '2001:db8::5/64', gateway: '2001:db8::1' },
  ),
  'networks[].staticIP.address': address(
    'staticIP',
    { address: '192.0.2.10/24' },
    { address: '192.0.2.11/24' },
  ),
  'networks[].staticIP.gateway': address(
    'staticIP',
    { address: '192.0.2.10/24' },
    { address: '192.0.2.10/24', gateway: '192.0.2.1' },
  ),
  'networks[].staticIP.dns': address(
    'staticIP',
    { address: '192.0.2.10/24' },
    { address: '192.0.2.10/24', dns: ['192.0.2.53'] },
  ),
};
