import type { ListedGuest } from '../../../reconciler/observed';
import { imageFileName, uploadedFileName } from '../../../reconciler/guest/image-file';
import { importStorages } from '../../../reconciler/placement/import-storages';
import { storage } from '../../support/reconciler/placement-site';
import { ownerTag } from '../../../reconciler/mark/owner-tag';
import { sourceCandidates } from '../../../reconciler/placement/source';
import { machine } from '../../support/spec/machine';
import { OWNER, present } from '../../support/reconciler/observed';
import { later } from './live-rows';
import { absent, places, plan, plans, plansOn, problems, type Json } from './planned';
import type { Proof } from './proof';

const TEMPLATE: ListedGuest = {
  ...{ vmid: 9000, type: 'qemu', node: 'pve1', name: 'debian', tags: ['golden'], template: true },
  ...{ power: 'stopped', lock: undefined, pool: undefined, haManaged: false, memory: 0 },
};
const KEEPERS = ['local', 'fast'].map(name => storage(name, { content: ['import'] }));
const THERE = [TEMPLATE, { ...TEMPLATE, vmid: 9001, name: 'base', tags: [ownerTag(OWNER, 'base')] }];

/** Which guest an image is found to be. */
const found = (...images: Json[]): Proof => ({
  differ: () => images.map(image => sourceCandidates(machine({ image }), THERE, OWNER)),
});
const source = { node: 'pve1', vmid: 9000, name: 'debian', template: true, config: {} };
const clones = (...images: Json[]): Proof => ({
  differ: () => images.map(image => plan({ image: { template: 'debian', ...image } }, absent, { source })),
});

const beside = { pve3: { labels: { app: 'db' } } };
const RULE = { key: 'app', operator: 'In', values: ['db'] };
const together = (...rules: Json[]): Proof =>
  places(
    { beside: { pve1: { labels: { app: 'db' } } } },
    ...rules.map(rule => ({ placement: { affinity: [{ ...RULE, ...rule }] } })),
  );
const apart = (...rules: Json[]): Proof =>
  places({ beside }, ...rules.map(rule => ({ placement: { antiAffinity: [{ ...RULE, ...rule }] } })));
const placement = (situation: Parameters<typeof places>[0], said: Json): Proof =>
  places(situation, {}, { placement: said });
const running = present();
const roomy = { there: { guests: [{ ...TEMPLATE, vmid: 100, node: 'pve3', template: false }] } };

/** Who a machine is, what it is made from, and where it goes. */
export const PLACE_ROWS: Readonly<Record<string, Proof>> = {
  id: later({ name: 'www' }, { name: 'www' }, { id: 'db', name: 'www' }),
  formerIds: later({ name: 'www' }, { id: 'db', name: 'www' }, { id: 'db', name: 'www', formerIds: ['web'] }),
  cluster: { differ: () => ['lab', 'other'].map(cluster => problems({}, [{ cluster }])) },
  vmid: plansOn(running, { vmid: 101 }, { vmid: 102 }),
  adopt: later({}, { id: 'db', name: 'web', vmid: 10_000 }, { id: 'db', vmid: 100, adopt: true }),
  node: places({}, {}, { node: 'pve2' }),
  pin: plansOn(running, { node: 'pve2' }, { node: 'pve2', pin: true }),
  'placement.nodes': placement({}, { nodes: ['pve1'] }),
  'placement.nodeSelector': placement(
    { nodes: [{ nodeName: 'pve2', labels: { zone: 'a' } }] },
    { nodeSelector: { zone: 'a' } },
  ),
  'placement.affinity[].key': together({}, { key: 'tier' }),
  'placement.affinity[].operator': together({}, { operator: 'NotIn' }),
  'placement.affinity[].values': together({}, { values: ['web'] }),
  'placement.affinity[].mode': {
    differ: () =>
      ['hard', 'soft'].flatMap(mode => {
        const affinity = [{ ...RULE, mode }];
        const situation = { beside: { pve1: { labels: { app: 'db' } } } };
        const rows = places(situation, { placement: { affinity, nodes: ['pve3'] } });
        return 'differ' in rows ? rows.differ() : [];
      }),
  },
  'placement.antiAffinity[].key': apart({}, { key: 'tier' }),
  'placement.antiAffinity[].operator': apart({}, { operator: 'NotIn' }),
  'placement.antiAffinity[].values': apart({}, { values: ['web'] }),
  'placement.antiAffinity[].mode': {
    differ: () =>
      ['hard', 'soft'].flatMap(mode => {
        const antiAffinity = [{ ...RULE, mode }];
        const rows = places({ beside }, { placement: { antiAffinity, nodes: ['pve3'] } });
        return 'differ' in rows ? rows.differ() : [];
      }),
  },
  'placement.strategy': placement({}, { strategy: 'pack' }),
  'placement.maxVMsPerNode': placement(roomy, { maxVMsPerNode: 1 }),
  'placement.minFreeMemory': places(
    {},
    { memory: '1Gi' },
    { memory: '1Gi', placement: { minFreeMemory: '100Gi' } },
  ),
  'image.template': found({ blank: true }, { template: 9000 }, { template: 'nope' }),
  'image.template.tag': found({ template: { tag: 'golden' } }, { template: { tag: 'other' } }),
  'image.machine': found({ machine: 'base' }, { machine: 'nope' }),
  'image.replicas': found({ machine: 'base', replicas: ['pve1'] }, { machine: 'base', replicas: ['pve2'] }),
  asTemplate: plans({}, { asTemplate: true }),
  'image.iso': plans({ image: { blank: true } }, { image: { iso: 'local:iso/a.iso' } }),
  'image.blank': { differ: () => [{}, { blank: true }].map(image => problems({}, [{ image }])) },
  'image.url': {
    differ: () => ['a.raw', 'a.img'].map(name => imageFileName(`https://example.com/${name}`, 'md5:0')),
  },
  'image.file': {
    differ: () => ['/a.raw', '/a.img'].map(name => uploadedFileName(name, 'md5:0', 'a')),
  },
  'image.checksum': {
    differ: () => ['md5:0', 'md5:1'].map(sum => imageFileName('https://example.com/a.img', sum)),
  },
  'image.storage': { differ: () => ['local', 'fast'].map(storage => importStorages({ storage }, KEEPERS)) },
  'image.clone': clones({}, { clone: 'full' }),
  'image.snapshot': clones({}, { snapshot: 'clean' }),
  labels: places(
    { beside: { pve3: { placement: { antiAffinity: [RULE] } } } },
    {},
    { labels: { app: 'db' } },
  ),
};
