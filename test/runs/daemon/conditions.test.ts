import { CONDITION_REASONS } from '../../../spec';
import { administratorOf } from '../../support/cluster/administrator';
import type { Json } from '../../support/cluster/lab';
import { daemonLab, until, type DaemonLab, type RunningDaemon } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true } };
const onBridge = (bridge: string): Json => ({ networks: [{ name: 'lan', bridge }] });

let lab: DaemonLab;
let daemon: RunningDaemon;
afterEach(() => lab.close());

const start = async (...machines: Json[]): Promise<void> => {
  lab = await daemonLab(machines);
  daemon = lab.start();
};

/** Every reason that a machine told, with its condition. */
const reasons = new Set<string>();

/** The conditions of a machine as one line each, once it is in this phase. */
async function conditions(machine: string, phase: string): Promise<Record<string, string>> {
  const told = await until(
    () => daemon.machine(machine),
    seen => seen['phase'] === phase,
  );
  const all = told['conditions'] as { type: string; status: string; reason: string; message: string }[];
  expect(all.every(({ message }) => message !== '')).toBe(true);
  all.forEach(({ type, reason }) => reasons.add(`${type} ${reason}`));
  return Object.fromEntries(all.map(({ type, status, reason }) => [type, `${status} ${reason}`]));
}

// the rows of the table "Status Conditions"
const NOT_MADE = 'False CreationFailed';
const NOT_KNOWN = 'Unknown Error';
test.each<[what: string, machine: Json, phase: string, rows: Record<string, string>]>([
  [
    'a machine that is as wanted',
    { ...web, networks: [] },
    'Running',
    {
      Ready: 'True Running',
      VMCreated: 'True CreationSucceeded',
      ResourcesAllocated: 'True AllocationSucceeded',
      NetworkConfigured: 'True NetworkReady',
    },
  ],
  [
    'one for which no node has the memory',
    { ...web, pin: true, memory: '4Ti' },
    'Error',
    {
      Ready: 'False Error',
      VMCreated: NOT_MADE,
      ResourcesAllocated: 'False InsufficientResources',
      NetworkConfigured: NOT_KNOWN,
    },
  ],
  [
    'one whose disk has no room',
    { ...web, pin: true, disks: [{ name: 'root', storage: 'local-lvm', size: '900Ti' }] },
    'Error',
    { Ready: 'False Error', VMCreated: NOT_MADE, ResourcesAllocated: 'False InsufficientResources' },
  ],
  [
    'one whose bridge is missing',
    { ...web, pin: true, ...onBridge('vmbr9') },
    'Error',
    {
      Ready: 'False Error',
      VMCreated: NOT_MADE,
      ResourcesAllocated: NOT_KNOWN,
      NetworkConfigured: 'False NetworkError',
    },
  ],
  [
    'one whose template is missing',
    { id: 'web', image: { template: 'nope' } },
    'Error',
    {
      Ready: 'False Error',
      VMCreated: NOT_MADE,
      ResourcesAllocated: NOT_KNOWN,
      NetworkConfigured: NOT_KNOWN,
    },
  ],
])('%s', async (_, machine, phase, rows) => {
  await start(machine);
  expect(await conditions('web', phase)).toMatchObject(rows);
});

test('a machine that is there and cannot be brought to a new wish stays created', async () => {
  await start({ ...web, ...onBridge('vmbr0') });
  await conditions('web', 'Running');
  lab.want([{ ...web, ...onBridge('vmbr9') }]);
  expect(await conditions('web', 'Error')).toEqual({
    Ready: 'False Error',
    VMCreated: 'True CreationSucceeded',
    ResourcesAllocated: 'True AllocationSucceeded',
    NetworkConfigured: 'False NetworkError',
  });
  lab.want([{ ...web, ...onBridge('vmbr1') }]);
  expect(await conditions('web', 'Running')).toMatchObject({
    Ready: 'True Running',
    VMCreated: 'True CreationSucceeded',
  });
});

test('a machine that somebody deletes while the storage is full is not created any more', async () => {
  await start({ ...web, disks: [{ name: 'root', storage: 'local-lvm', size: '4Gi' }] });
  await conditions('web', 'Running');
  lab.simulator.faults.add({
    methods: ['POST'],
    path: '/nodes/pve1/qemu',
    effect: {
      kind: 'answer',
      status: 500,
      text: 'unable to create VM 1 - lvcreate error: Volume group "pve" has insufficient free space (1 extents): 1024 required.',
    },
  });
  const [guest] = lab.guests('web');
  const ask = administratorOf(lab);
  expect(await ask('POST', `/nodes/pve1/qemu/${guest?.vmid}/status/stop`)).toBe(true);
  expect(await ask('DELETE', `/nodes/pve1/qemu/${guest?.vmid}`)).toBe(true);
  // a round that began before may fail with the guest that goes
  await until(
    () => daemon.machine('web'),
    seen => JSON.stringify(seen).includes('insufficient free space'),
  );
  expect(await conditions('web', 'Error')).toMatchObject({
    Ready: 'False Error',
    VMCreated: NOT_MADE,
    ResourcesAllocated: 'False InsufficientResources',
  });
});

test.each([
  ['made from nothing', web],
  ['that is a clone', { id: 'web', image: { template: 'ubuntu-22.04' } }],
])('a machine %s is not created before its first configuration', async (_, machine) => {
  lab = await daemonLab([machine]);
  const isConfiguration = (line: string): boolean => /^(?:PUT|POST) .*\/config$/.test(line);
  lab.simulator.faults.add({
    methods: ['PUT', 'POST'],
    path: '/nodes/*/qemu/*/config',
    effect: { kind: 'answer', status: 500, text: 'unable to open file: Input/output error' },
  });
  daemon = lab.start();
  expect(await conditions('web', 'Error')).toMatchObject({ VMCreated: NOT_MADE });
  expect(lab.guests('web')).toHaveLength(1);
  // another attempt, which finds it
  const writes = lab.writes().filter(isConfiguration).length;
  await until(
    () => lab.writes().filter(isConfiguration).length,
    count => count > 2 * writes,
  );
  expect(await conditions('web', 'Error')).toMatchObject({ VMCreated: NOT_MADE });
  lab.simulator.faults.clear();
  expect(await conditions('web', 'Running')).toMatchObject({ VMCreated: 'True CreationSucceeded' });
});

test('every reason of the table is told by one of these machines', () => {
  const table = Object.entries(CONDITION_REASONS).flatMap(([type, each]) =>
    each.map(reason => `${type} ${reason}`),
  );
  expect([...reasons]).toEqual(expect.arrayContaining(table));
});
