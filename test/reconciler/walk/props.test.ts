import type { TerraformStack } from 'cdktf';
import {
  Credentials,
  Image,
  Machine,
  MachineClass,
  ProxmoxCluster,
  ProxmoxNode,
  Reference,
  type MachineProps,
  type ProxmoxClusterProps,
} from '../../../constructs';
import { parseMachine } from '../../../spec';
import { WANTED_FIELDS } from '../../support/spec/machine-fields';
import { propsFields } from '../../support/constructs/props-fields';
import { synthesized } from '../../support/constructs/synthesized';
import { withField, withWanted } from '../../support/spec/with-field';
import type { Proof } from './proof';
import { walk } from './walk';

type Json = Record<string, unknown>;

const disks = (...more: Json[]): Json => ({
  disks: more.map(each => ({ name: 'data', size: '4Gi', storage: 'fast', ...each })),
});
const card = (more: Json): Json => ({ networks: [{ name: 'lan', bridge: 'vmbr0', ...more }] });
const placement = (more: Json): Json => ({ placement: more });
const RULE = { key: 'app', operator: 'In', values: ['db'] };
const together = (more: Json): Json => placement({ affinity: [{ ...RULE, ...more }] });
const apart = (more: Json): Json => placement({ antiAffinity: [{ ...RULE, ...more }] });
const PASSWORD = { passwordFrom: Reference.fromEnvironment('ONE') };

/** Props that say how we act: without and with. */
const SAID: Record<string, [Json, Json]> = {
  id: [{}, { id: 'other' }],
  formerIds: [{}, { formerIds: ['old'] }],
  vmid: [{}, { vmid: 500 }],
  adopt: [{ vmid: 501 }, { vmid: 501, adopt: true }],
  asTemplate: [{}, { asTemplate: true }],
  node: [{}, { node: 'pve1' }],
  pin: [{ node: 'pve1' }, { node: 'pve1', pin: true }],
  image: [{}, { image: Image.fromTemplate('debian') }],
  class: [{}, { class: new MachineClass({ name: 'small', cpus: 3 }) }],
  labels: [{}, { labels: { app: 'db' } }],
  'ha.group': [{}, { ha: { group: 'blue' } }],
  'ha.maxRestart': [{}, { ha: { maxRestart: 2 } }],
  'ha.maxRelocate': [{}, { ha: { maxRelocate: 2 } }],
  'ha.failback': [{}, { ha: { failback: false } }],
  rebuildOn: [{}, { rebuildOn: ['image'] }],
  onImageChange: [{}, { onImageChange: 'keep' }],
  mode: [{}, { mode: 'observe' }],
  power: [{}, { power: 'stopped' }],
  shutdownTimeout: [{}, { shutdownTimeout: '7s' }],
  forceStop: [{}, { forceStop: false }],
  keptVolumes: [{}, { keptVolumes: 'destroy' }],
  restart: [{}, { restart: 'whenNeeded' }],
  snapshotBeforeChange: [{}, { snapshotBeforeChange: true }],
  'snapshotBeforeChange.keep': [{}, { snapshotBeforeChange: { keep: 2 } }],
  clear: [{}, { clear: ['balloon'] }],
  waitFor: [{}, { waitFor: 'agent', agent: true }],
  'waitFor.address.family': [{}, { agent: true, waitFor: { address: { family: 'ipv4' } } }],
  'waitFor.address.interface': [{}, { agent: true, waitFor: { address: { interface: 'eth0' } } }],
  'waitFor.address.cidr': [{}, { agent: true, waitFor: { address: { cidr: '192.0.2.0/24' } } }],
  'timeouts.create': [{}, { timeouts: { create: '7s' } }],
  'timeouts.apply': [{}, { timeouts: { apply: '7s' } }],
  'timeouts.destroy': [{}, { timeouts: { destroy: '7s' } }],
  'timeouts.agent': [{}, { timeouts: { agent: '7s' } }],
  'timeouts.cloudInit': [{}, { timeouts: { cloudInit: '7s' } }],
  'cloudInit.waitForCompletion': [
    {},
    { agent: true, networks: [{ name: 'lan' }], cloudInit: { waitForCompletion: true } },
  ],
  'placement.nodes': [{}, placement({ nodes: ['pve1'] })],
  'placement.nodeSelector': [{}, placement({ nodeSelector: { zone: 'a' } })],
  'placement.affinity[].key': [together({}), together({ key: 'tier' })],
  'placement.affinity[].operator': [together({}), together({ operator: 'NotIn' })],
  'placement.affinity[].values': [together({}), together({ values: ['web'] })],
  'placement.affinity[].mode': [together({}), together({ mode: 'soft' })],
  'placement.antiAffinity[].key': [apart({}), apart({ key: 'tier' })],
  'placement.antiAffinity[].operator': [apart({}), apart({ operator: 'NotIn' })],
  'placement.antiAffinity[].values': [apart({}), apart({ values: ['web'] })],
  'placement.antiAffinity[].mode': [apart({}), apart({ mode: 'soft' })],
  'placement.strategy': [{}, placement({ strategy: 'pack' })],
  'placement.maxVMsPerNode': [{}, placement({ maxVMsPerNode: 3 })],
  'placement.minFreeMemory': [{}, placement({ minFreeMemory: '1Gi' })],
  'cpu.threadsPerCore': [{ cpu: { cores: 2 } }, { cpu: { cores: 2, threadsPerCore: 2 } }],
  ...Object.fromEntries(
    ['userData', 'vendorData', 'metaData', 'networkData'].flatMap(name => [
      [
        `cloudInit.${name}`,
        ['#cloud-config\n', '#!/bin/sh\n'].map(text => ({ cloudInit: { [name]: text } })),
      ],
      [
        `cloudInit.${name}From`,
        ['ONE', 'TWO'].map(one => ({ cloudInit: { [`${name}From`]: Reference.fromEnvironment(one) } })),
      ],
    ]),
  ),
  'cloudInit.storage': ['nfs', 'local'].map(storage => ({ cloudInit: { userData: '#!', storage } })),
  'cloudInit.passwordFrom': [{}, { cloudInit: PASSWORD }],
  'cloudInit.passwordVersion': [{ cloudInit: PASSWORD }, { cloudInit: { ...PASSWORD, passwordVersion: 2 } }],
  'disks[].name': [disks({}), disks({ name: 'logs' })],
  'disks[].slot': [disks({}), disks({ slot: 'scsi3' })],
  'disks[].type': [disks({}), disks({ type: 'virtio' })],
  'disks[].format': [disks({}), disks({ format: 'qcow2' })],
  'disks[].allocation': [disks({}), disks({ allocation: 'thick' })],
  'disks[].existingVolume': [{}, { disks: [{ name: 'data', existingVolume: 'fast:vm-9-disk-0' }] }],
  'disks[].onRemove': [disks({}), disks({ onRemove: 'delete' })],
  'networks[].name': [card({}), card({ name: 'dmz' })],
  'networks[].ipv4.address': [card({}), card({ ipv4: { address: '192.0.2.20/24' } })],
  'networks[].ipv4.gateway': [card({}), card({ ipv4: { address: '192.0.2.21/24', gateway: '192.0.2.1' } })],
  'networks[].ipv6.address': [card({}), card({ ipv6: { address: '2001:db8::20/64' } })],
  'networks[].ipv6.gateway': [
    card({}),
    card({ ipv6: { address: '2001:db8::21/64', gateway: '2001:db8::1' } }),
  ],
  'networks[].staticIP.address': [card({}), card({ staticIP: { address: '192.0.2.30/24' } })],
  'networks[].staticIP.gateway': [
    card({}),
    card({ staticIP: { address: '192.0.2.31/24', gateway: '192.0.2.1' } }),
  ],
  'networks[].staticIP.dns': [
    card({}),
    card({ staticIP: { address: '192.0.2.32/24', dns: ['192.0.2.53'] } }),
  ],
};

const BASE = { ...disks({ name: 'root' }, {}), ...card({}) };
const general = (field: string): string => field.replace(/\[[^\]]+\]/g, '[]');

/** Props that become part of a guest: without and with, of the values one that the spec takes. */
const SENT = Object.fromEntries(
  WANTED_FIELDS.filter(({ field }) => !/\.staticIP$|^usb$/.test(field)).map(row => {
    const { base = {}, also = {} } = row;
    const plain = Object.entries(also).reduce((spec: Json, [name, value]) => withField(spec, name, value), {
      ...structuredClone(base),
      ...structuredClone(BASE),
    } as Json);
    const others = row.values.map(value => withWanted(BASE, row, value)).filter(takes);
    const other = others.find(each => JSON.stringify(each) !== JSON.stringify(plain)) ?? {};
    return [row.schema ?? general(row.field), [takes(plain) ? plain : BASE, other]] as const;
  }),
);

function takes(fields: Json): boolean {
  return parseMachine({ id: 'x', image: { blank: true }, ...structuredClone(fields) }).ok;
}

const ROWS: Record<string, readonly [Json, Json]> = { ...SENT, ...SAID };
const NAMES = Object.keys(ROWS);
/** The spec of each row's machine, in a stack without the props and in one with them. */
let specs: Map<string, Json>[];
beforeAll(() => {
  specs = ([0, 1] as const).map(side => {
    const { resources } = synthesized(stack =>
      NAMES.forEach((name, index) => {
        const props = { image: Image.blank(), ...ROWS[name]?.[side] };
        new Machine(stack, `m${index}`, props as MachineProps);
      }),
    );
    return new Map(
      Object.entries(resources('null_resource')).flatMap(([name, { triggers }]) => {
        const { spec } = triggers as { spec?: string };
        return spec === undefined ? [] : [[name, JSON.parse(spec) as Json] as const];
      }),
    );
  });
});

const arrives = (name: string): Proof => ({
  differ: () =>
    specs.map(side => side.get(`machine_lab_m${NAMES.indexOf(name)}`) ?? side.get('machine_lab_other')),
});

const clusters = (...props: ProxmoxClusterProps[]): Proof => ({
  differ: () =>
    props.map(each => {
      const build = (stack: TerraformStack): unknown => new Machine(stack, 'web', { image: Image.blank() });
      return JSON.parse(synthesized(build, each).text) as Json;
    }),
});
const twoClusters = (named: boolean): string =>
  synthesized((stack, lab) => {
    const other = new ProxmoxCluster(stack, 'other');
    new Machine(stack, 'web', { image: Image.blank(), cluster: named ? other : lab });
  }).text;

walk('prop of a machine', propsFields('MachineProps'), {
  ...Object.fromEntries(NAMES.map(name => [name, arrives(name)])),
  cluster: { differ: () => [false, true].map(twoClusters) },
  dependsOn: {
    differ: () =>
      [false, true].map(
        waits =>
          synthesized(stack => {
            const first = new Machine(stack, 'first', { image: Image.blank() });
            new Machine(stack, 'web', { image: Image.blank(), dependsOn: waits ? [first] : [] });
          }).text,
      ),
  },
});

walk(
  'prop of a cluster',
  propsFields('ProxmoxClusterProps').map(name => name.replace(/^defaults\..*/, 'defaults')),
  {
    name: clusters({}, { name: 'other' }),
    endpoint: clusters({}, { endpoint: 'https://pve' }),
    endpoints: clusters({}, { endpoints: ['https://pve'] }),
    owner: clusters({}, { owner: 'other' }),
    credentials: clusters({}, { credentials: Credentials.fromEnvironment('PVE_X_') }),
    insecureSkipTlsVerify: clusters({}, { insecureSkipTlsVerify: true }),
    caCertificate: clusters({}, { caCertificate: '/ca' }),
    clientCertificate: clusters({}, { clientCertificate: '/cert' }),
    fingerprint: clusters({}, { fingerprint: '0A'.repeat(32) }),
    nodes: clusters({}, { nodes: ['pve1'] }),
    storages: clusters({}, { storages: ['fast'] }),
    networks: clusters({}, { networks: ['vmbr0'] }),
    networkMap: clusters({}, { networkMap: { lan: 'vmbr7' } }),
    'vmidRange.from': clusters({}, { vmidRange: { from: 200, to: 300 } }),
    'vmidRange.to': clusters({ vmidRange: { from: 200, to: 300 } }, { vmidRange: { from: 200, to: 301 } }),
    defaults: clusters({}, { defaults: { memory: '1Gi' } }),
    'limits.clonesPerTemplate': clusters({}, { limits: { clonesPerTemplate: 2 } }),
    'limits.tasksPerNode': clusters({}, { limits: { tasksPerNode: 2 } }),
    'limits.requests': clusters({}, { limits: { requests: 2 } }),
    taskTimeout: clusters({}, { taskTimeout: '7s' }),
    pollFloor: clusters({}, { pollFloor: '7ms' }),
    pollCeiling: clusters({}, { pollCeiling: '7s' }),
  },
);

const nodes = (...props: Json[]): Proof => ({
  differ: () =>
    props.map(each => synthesized(stack => void new ProxmoxNode(stack, 'pve1', each)).desiredState()),
});
walk('prop of a node', propsFields('ProxmoxNodeProps'), {
  cluster: {
    differ: () =>
      [false, true].map(named =>
        synthesized((stack, lab) => {
          const other = new ProxmoxCluster(stack, 'other');
          new ProxmoxNode(stack, 'pve1', { cluster: named ? other : lab });
        }).desiredState(),
      ),
  },
  nodeName: nodes({}, { nodeName: 'pve2' }),
  maxVMs: nodes({}, { maxVMs: 3 }),
  minFreeMemory: nodes({}, { minFreeMemory: '1Gi' }),
  labels: nodes({}, { labels: { zone: 'a' } }),
  schedulable: nodes({}, { schedulable: false }),
});
