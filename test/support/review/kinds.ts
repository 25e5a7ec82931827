import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bootAll } from '../cluster/boot-all';
import { qcow2, sha256 } from '../cluster/image-server';
import type { Deployment } from '../terraform/deployment';
import { pathOf } from './program';

type Fields = Readonly<Record<string, unknown>>;

/** What is wanted, in the words of a spec: every front end says it in its own way. */
export interface Said {
  machines: Readonly<Record<string, Fields>>;
  /** By machine, then by name. */
  snapshots?: Readonly<Record<string, Readonly<Record<string, Fields>>>>;
  /** Images that are made ready as templates, by name. */
  images?: Readonly<Record<string, Fields>>;
}

/** One plan and its apply, and what must be told of each machine at least. */
export interface Stage {
  name: string;
  /** The front ends that can say it; absent: all. */
  only?: readonly string[];
  before?: (lab: Deployment) => Promise<unknown>;
  said: Said;
  says: Readonly<Record<string, string>>;
}

const root = { name: 'root', size: '1G', storage: 'shared' };
const data = { name: 'data', size: '1G', storage: 'shared' };
const off = { image: { blank: true }, memory: '512Mi', node: 'pve1', disks: [root], power: 'stopped' };
const on = { ...off, power: 'running', shutdownTimeout: '1s' };
const snapped = { ...off, disks: [{ ...root, storage: 'local-lvm' }] };
const trimmed = { ...off, disks: [root, { ...data, onRemove: 'delete' }] };
const kept = { ...off, disks: [root, { ...data, onRemove: 'keep' }] };
const clone = { image: { template: 'ubuntu-22.04' }, power: 'stopped' };
const addressed = (address: string) => ({
  ...{ ...on, restart: 'never', cloudInit: { user: 'me' } },
  networks: [{ name: 'lan', bridge: 'vmbr0', ipv4: { address } }],
});

const carded = (model: string) => ({ ...on, networks: [{ name: 'lan', bridge: 'vmbr0', model }] });
const seeded = (said: string) => ({ ...off, cloudInit: { userData: `#!/bin/sh\necho ${said}\n` } });

const MADE = {
  ...{ calm: snapped, tagged: off, described: off, called: off, pooled: off, grown: off, shifted: off },
  ...{ never: { ...on, restart: 'never' }, when: { ...on, restart: 'whenNeeded' } },
  ...{ ...{ trimmed, kept }, started: off, stopped: on, guarded: off, carded: off },
  ...{ hopped: { ...off, pin: true }, anew: { ...clone, rebuildOn: ['image'] }, source: clone, old: off },
  ...{ taken: snapped, back: snapped, gone: off, fixed: { ...clone }, stays: clone },
  addressed: addressed('10.0.0.10/24'),
  ...{ watched: off, shielded: off, replugged: carded('virtio'), seeded: seeded('one') },
};

const CHANGED = {
  ...MADE,
  tagged: { ...off, tags: ['blue'] },
  described: { ...off, description: 'new' },
  called: { ...off, name: 'otherwise' },
  pooled: { ...off, pool: 'prod' },
  grown: { ...off, disks: [{ ...root, size: '2G' }] },
  shifted: { ...off, disks: [{ ...root, storage: 'local-lvm' }] },
  back: { ...snapped, memory: '1Gi', tags: ['later'] },
  never: { ...on, restart: 'never', memory: '1Gi' },
  when: { ...on, restart: 'whenNeeded', memory: '1Gi' },
  trimmed: off,
  kept: off,
  started: on,
  stopped: { ...off, shutdownTimeout: '1s' },
  guarded: { ...off, ha: { maxRestart: 2 } },
  carded: { ...off, networks: [{ name: 'lan', bridge: 'vmbr0' }] },
  hopped: { ...off, node: 'pve2', pin: true },
  anew: { ...clone, image: { template: 'debian-12' }, rebuildOn: ['image'] },
  stays: { ...clone, image: { template: 'debian-12' }, onImageChange: 'keep' },
  addressed: addressed('10.0.0.11/24'),
  watched: { ...off, mode: 'observe', memory: '1Gi' },
  shielded: { ...off, protection: true },
  replugged: carded('e1000'),
  seeded: seeded('two'),
  copy: { image: { machine: 'source' }, power: 'stopped' },
  base: { ...off, asTemplate: true },
  young: { ...off, formerIds: ['old'], name: 'old' },
  byhand: { vmid: 700, adopt: true, power: 'stopped' },
};
const { gone: _, old: __, ...STAYING } = CHANGED;
const REFUSED = { ...STAYING, fixed: { ...clone, image: { template: 'debian-12' } } };
const taken = { taken: { clean: {} }, back: { way: {} } };

const ENGINES = ['cdktf', 'HCL'];
/** Without manifests: they have no kind for an image that is made ready. */
const WITH_IMAGES = [...ENGINES, 'command line'];

/** The same image with another content: its bytes in a file, and the template that is made of it. */
function content(seed: string) {
  const bytes = qcow2(2 ** 30, seed);
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'front ends ')), 'golden.qcow2');
  writeFileSync(file, bytes);
  const image = { file, checksum: sha256(bytes), diskStorage: 'shared' };
  return { images: { golden: image }, template: `golden-${sha256(bytes).slice(7, 17)}` };
}
const [golden, newer] = [content('golden'), content('newer')];
const cast = { image: { machine: 'golden' }, power: 'stopped' };
const COPIES = { kept: { ...cast, onImageChange: 'keep' }, recast: { ...cast, onImageChange: 'rebuild' } };

/** Each kind of action on a machine of its own, so that a stage compares many. They play after each other. */
export const STAGES: Stage[] = [
  {
    name: 'all are made, with snapshots',
    before: lab => lab.byHand('POST', '/pools', { poolid: 'prod' }),
    said: { machines: MADE, snapshots: taken },
    says: { calm: 'create', anew: 'create', taken: 'create' },
  },
  {
    name: 'each changes in its own way; one is cloned from another, one is a template, one is adopted, one leaves',
    before: async lab => {
      const form = { vmid: '700', name: 'byhand', memory: '512', cores: '1' };
      await lab.byHand('POST', '/nodes/pve2/qemu', form);
      // a guest without a system gives no card back
      bootAll(lab);
    },
    said: { machines: STAYING, snapshots: { ...taken, calm: { first: {} } } },
    says: {
      ...{ tagged: 'change', described: 'change', called: 'change', pooled: 'change', grown: 'change' },
      ...{ shifted: 'change', trimmed: 'change', kept: 'change', started: 'change' },
      ...{
        stopped: 'stop',
        never: 'waits',
        when: 'restart',
        guarded: 'change',
        hopped: 'change',
        anew: 'rebuild',
      },
      ...{ carded: 'change', copy: 'create', base: 'create', young: 'change', gone: 'destroy' },
      ...{ stays: 'unchanged', addressed: 'waits', watched: 'observed' },
      ...{ shielded: 'change', replugged: 'change', seeded: 'change' },
      ...{ taken: 'unchanged', source: 'unchanged', fixed: 'unchanged' },
    },
  },
  {
    name: 'the same again',
    said: { machines: STAYING, snapshots: { ...taken, calm: { first: {} } } },
    says: { ...Object.fromEntries(Object.keys(STAYING).map(id => [id, 'unchanged'])), watched: 'observed' },
  },
  {
    name: 'one goes back to a snapshot that has other values; one was changed, one deleted by hand',
    before: async lab => {
      await lab.byHand('PUT', `${pathOf(lab, 'calm')}/config`, { memory: '1024' });
      await lab.byHand('DELETE', pathOf(lab, 'tagged'));
    },
    said: {
      machines: { ...STAYING, back: { ...CHANGED.back, revertTo: 'way' } },
      snapshots: { ...taken, calm: { first: {} } },
    },
    says: { back: 'change', calm: 'change', tagged: 'create', described: 'unchanged' },
  },
  {
    name: 'another image without a word to make it anew',
    said: { machines: REFUSED, snapshots: { ...taken, calm: { first: {} } } },
    says: { fixed: 'refused', calm: 'unchanged' },
  },
  {
    name: 'a snapshot leaves: the construct and the module delete it',
    only: ENGINES,
    said: { machines: STAYING, snapshots: taken },
    says: { calm: 'change', taken: 'unchanged', back: 'unchanged' },
  },
  {
    name: 'a snapshot leaves a document: it stays',
    only: ['command line', 'manifests'],
    said: { machines: STAYING, snapshots: taken },
    says: { calm: 'unchanged', taken: 'unchanged', back: 'unchanged' },
  },
  {
    name: 'an image is made ready, and machines are cloned from it',
    only: WITH_IMAGES,
    said: {
      machines: { ...STAYING, copied: COPIES.kept, recast: COPIES.recast },
      snapshots: taken,
      images: golden.images,
    },
    says: { [golden.template]: 'create', copied: 'create', recast: 'create', calm: 'unchanged' },
  },
  {
    name: 'it gets another content: one machine is kept, one is made anew, one is new',
    // of Terraform in one form: the apply waits half a minute for the clones of the former template, and lets it go
    only: ['HCL', 'command line'],
    said: {
      machines: { ...STAYING, copied: COPIES.kept, recast: COPIES.recast, later: COPIES.kept },
      snapshots: taken,
      images: newer.images,
    },
    says: {
      [newer.template]: 'create',
      copied: 'unchanged',
      recast: 'rebuild',
      later: 'create',
      calm: 'unchanged',
    },
  },
];
