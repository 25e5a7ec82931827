import { formatSize } from '../../../spec';
import type { Action, MachinePlan } from '../../../reconciler/action';
import { shownValue } from '../../../reconciler/machine/shown-value';
import { planText } from '../../../reconciler/report/plan-text';
import type { Review, ReviewedMachine } from '../../../reconciler/review/review';
import { lostText } from '../../../reconciler/review/words';

const GONE: ReviewedMachine = {
  id: 'web',
  name: 'web',
  cluster: 'lab',
  module: '',
  verdict: 'destroy',
  does: [],
  changes: [],
  notes: [],
} as unknown as ReviewedMachine;
const lost = (unknown: number) =>
  lostText({ machines: [GONE], lost: { bytes: 2 ** 31, unknown } } as unknown as Review);

it.each([
  [0, 'Lost: 2 GiB of disks.'],
  [1, 'Lost: 2 GiB of disks. The disks of 1 machine are not known.'],
  [2, 'Lost: 2 GiB of disks. The disks of 2 machines are not known.'],
])('the disks that go, where those of %i machines are not known', (unknown, text) => {
  expect(lost(unknown)).toBe(text);
});

it.each([
  [{ bytes: 0, unknown: 0, volumes: 1, snapshots: 0 }, 'Lost: 1 volume.'],
  [{ bytes: 0, unknown: 0, volumes: 0, snapshots: 2 }, 'Lost: 2 snapshots.'],
  [{ bytes: 2 ** 22, unknown: 0, volumes: 1, snapshots: 0 }, 'Lost: 4 MiB of disks, 1 volume.'],
  [{ bytes: 540_672, unknown: 0, volumes: 1, snapshots: 0 }, 'Lost: 0.5 MiB of disks, 1 volume.'],
  [{ bytes: 0, unknown: 1, volumes: 0, snapshots: 0 }, 'Lost: the disks of 1 machine, which are not known.'],
  [{ bytes: 0, unknown: 0, volumes: 0, snapshots: 0 }, undefined],
])('what is lost is never 0 GiB: %j', (sum, text) => {
  expect(lostText({ machines: [GONE], lost: sum } as unknown as Review)).toBe(text);
});

it.each([
  ['', '0 keys'],
  ['ssh-ed25519 A', '1 key'],
  ['ssh-ed25519 A\nssh-ed25519 B', '2 keys'],
])('SSH keys %j are %s', (value, text) => {
  expect(shownValue({ key: 'sshkeys' }, encodeURIComponent(value))).toBe(text);
});

const place = { node: 'pve1', vmid: 100 };
const made = { ...place, params: {} };
/** One of each kind, so that a new kind is missed by no text. */
const EACH: { [K in Action['kind']]: [Extract<Action, { kind: K }>, string] } = {
  'fetch-image': [
    {
      ...{
        kind: 'fetch-image',
        node: 'pve1',
        storage: 'local',
        volume: 'local:import/a.qcow2',
        isThere: false,
      },
      ...{ url: 'https://example.com/a.img', checksum: 'sha256:00', nodes: ['pve1'] },
    },
    'download https://example.com/a.img to local on pve1',
  ],
  create: [{ kind: 'create', ...made }, 'create VM 100 on pve1'],
  clone: [
    { kind: 'clone', ...made, source: { node: 'pve1', vmid: 9000 } },
    'clone VM 9000 to VM 100 on pve1',
  ],
  migrate: [{ kind: 'migrate', to: 'pve2' }, 'migrate to pve2'],
  configure: [
    { kind: 'configure', set: { memory: '1' }, delete: ['vga'], slow: false, verify: false },
    'write memory, -vga',
  ],
  resize: [{ kind: 'resize', slot: 'scsi0', bytes: 2 ** 30 }, `grow scsi0 to ${formatSize(2 ** 30)}`],
  'move-disk': [
    { kind: 'move-disk', slot: 'scsi0', storage: 'fast', format: 'raw' },
    'move scsi0 to fast as raw',
  ],
  'set-pool': [{ kind: 'set-pool', pool: undefined }, 'leave its pool'],
  'join-ha': [{ kind: 'join-ha', set: {} }, 'join high availability'],
  'change-ha': [{ kind: 'change-ha', set: { max_restart: '2' } }, 'write max_restart of high availability'],
  'leave-ha': [{ kind: 'leave-ha' }, 'leave high availability'],
  'make-template': [{ kind: 'make-template' }, 'make a template of it (which cannot be undone)'],
  'regenerate-cloud-init': [{ kind: 'regenerate-cloud-init' }, 'make the cloud-init drive anew'],
  'take-snapshot': [
    { kind: 'take-snapshot', name: 'clean', memory: true, description: '' },
    'take snapshot clean with its memory',
  ],
  'describe-snapshot': [
    { kind: 'describe-snapshot', name: 'clean', taken: 1, description: '' },
    'write the description of snapshot clean',
  ],
  'delete-snapshot': [{ kind: 'delete-snapshot', name: 'clean', taken: 1 }, 'delete snapshot clean'],
  'roll-back': [
    { kind: 'roll-back', name: 'clean', taken: 1, resumes: false },
    'go back to snapshot clean (what its disks hold since is lost)',
  ],
  'upload-iso': [
    { kind: 'upload-iso', node: 'pve1', volume: 'local:iso/a.iso', sha256: '', image: '' },
    'upload cloud-init data as local:iso/a.iso',
  ],
  'remove-iso': [{ kind: 'remove-iso', node: 'pve1', volume: 'local:iso/a.iso' }, 'remove local:iso/a.iso'],
  restart: [{ kind: 'restart' }, 'restart'],
  power: [{ kind: 'power', to: 'stopped' }, 'shut down'],
  destroy: [
    { kind: 'destroy', starts: true },
    'destroy it with its disks, then create it again, then start it',
  ],
};

it.each(Object.values(EACH).map(([action, text]) => [action.kind, action, text] as const))(
  'a plan says what would happen: %s',
  (_, action, text) => {
    const plan: MachinePlan = { machine: 'web', changes: [], actions: [action], refusals: [], waiting: [] };
    expect(planText([plan], 0).split('\n')[0]).toBe(`web: would ${text}`);
  },
);
