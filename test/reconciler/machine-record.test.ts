import type { Refusal } from '../../reconciler/action';
import { MachineRecord } from '../../reconciler/daemon/machine-record';
import { RefusedError, TimeUpError } from '../../reconciler/errors';
import { PveError, TaskError } from '../../reconciler/pve';
import { machine } from '../support/spec/machine';
import { guest } from '../support/reconciler/observed';

const there = guest({ cores: '2' });
const seen = { powerState: 'running' as const, interfaces: 'is off', snapshots: [], endpoint: 'https://pve' };
const found = (changed: Partial<typeof there> = {}) => ({
  kind: 'as-wanted' as const,
  guest: { ...there, ...changed },
});

function recordOfOneThatIsThere(): MachineRecord {
  const record = new MachineRecord('team', machine());
  record.see({ ...seen, guest: there });
  record.wentWell(found());
  return record;
}

test('a machine that has not changed keeps its outputs; what somebody changes is told', () => {
  const record = recordOfOneThatIsThere();
  const { outputs } = record;
  record.wentWell(found());
  expect(record.outputs).toBe(outputs);
  const edited = { digest: 'another', current: { ...there.current, cores: '4' } };
  record.wentWell(found(edited));
  expect(record.outputs.cpu?.cores).toBe(4);
  record.wentWell(found());
  expect(record.outputs.cpu?.cores).toBe(2);
});

test('after a failure, a pause and an absence the outputs tell again how it was read', () => {
  const record = recordOfOneThatIsThere();
  const { outputs } = record;
  record.failed(new Error('no'), { isOver: false, isThere: true });
  expect(record.outputs).not.toEqual(outputs);
  record.wentWell(found());
  expect(record.outputs).toEqual(outputs);
  record.wentWell({ kind: 'paused' });
  expect(record.outputs).not.toEqual(outputs);
  record.wentWell(found());
  expect(record.outputs).toEqual(outputs);
  record.see(undefined);
  record.wentWell({ kind: 'observed', guest: undefined });
  expect(record.outputs.phase).toBe('Pending');
});

test('each condition tells since when its status holds; a look that changes nothing changes no time', () => {
  jest.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') });
  const record = recordOfOneThatIsThere();
  const at = (type: string): unknown =>
    (record.told('lab') as { conditions: { type: string; lastTransitionTime?: string }[] }).conditions.find(
      condition => condition.type === type,
    )?.lastTransitionTime;
  expect([at('Ready'), at('VMCreated')]).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']);
  jest.setSystemTime(new Date('2026-01-01T01:00:00Z'));
  record.wentWell(found());
  expect(at('Ready')).toBe('2026-01-01T00:00:00.000Z');
  record.failed(new Error('no'), { isOver: false, isThere: true });
  expect([at('Ready'), at('VMCreated')]).toEqual(['2026-01-01T01:00:00.000Z', '2026-01-01T00:00:00.000Z']);
  jest.useRealTimers();
});

test.each([{ power: 'stopped' as const }, { node: 'pve9' }, { digest: 'another' }, { vmid: 4711 }])(
  'a guest with another %j is read again',
  changed => {
    const record = recordOfOneThatIsThere();
    expect(record.isSeenAs(found())).toBe(true);
    expect(record.isSeenAs(found(changed))).toBe(false);
  },
);

describe('a guest of which only the configuration can be read', () => {
  const interfaces = [
    {
      name: 'eth0',
      'hardware-address': 'bc:24:11:00:00:01',
      'ip-addresses': [{ 'ip-address': '192.0.2.10', 'ip-address-type': 'ipv4' as const, prefix: 24 }],
    },
  ];
  const unread = { powerState: 'stopped' as const, interfaces: 'was not read', snapshots: [], endpoint: '' };
  const shown = (changed: Partial<typeof there>) => {
    const record = new MachineRecord('team', machine());
    record.see({ ...seen, interfaces, snapshots: [{ name: 'before', snaptime: 1 }], guest: there });
    record.wentWell(found());
    expect(record.outputs.ipAddresses).toEqual(['192.0.2.10']);
    const { guest: now } = found(changed);
    const powerState = now.power;
    record.seeAgain({ ...unread, powerState, guest: now });
    record.wentWell({ kind: 'as-wanted', guest: now });
    return record.outputs;
  };
  test('another guest has nothing of the one before', () => {
    const outputs = shown({ vmid: 777, power: 'stopped', digest: 'another' });
    expect(outputs).toMatchObject({ vmid: 777, powerState: 'stopped', phase: 'Stopped' });
    expect(outputs).toMatchObject({ ipAddresses: [], snapshots: [] });
  });
  test('nor has one that took its number', () => {
    const smbios1 = 'uuid=22222222-2222-4222-8222-222222222222';
    expect(shown({ current: { ...there.current, smbios1 }, digest: 'another' }).ipAddresses).toEqual([]);
  });
  test('one whose power is another keeps no address', () => {
    const outputs = shown({ power: 'stopped' });
    expect(outputs).toMatchObject({ powerState: 'stopped', phase: 'Stopped', ipAddresses: [] });
    expect(outputs.snapshots).toEqual([{ name: 'before' }]);
  });
  test('one that was edited keeps what was read', () => {
    expect(shown({ digest: 'another' })).toMatchObject({
      powerState: 'running',
      ipAddresses: ['192.0.2.10'],
    });
  });
  test('one that was never read is there', () => {
    const record = new MachineRecord('team', machine());
    record.seeAgain({ ...unread, powerState: 'running', guest: there });
    record.wentWell(found());
    expect(record.outputs).toMatchObject({ vmid: there.vmid, phase: 'Running', powerState: 'running' });
  });
});

test('of a machine that was never read, a failure tells neither disks nor cards', () => {
  const record = new MachineRecord('team', machine());
  record.failed(new Error('no'), { isOver: false, isThere: true });
  const statuses = record.outputs.conditions.map(({ type, status }) => [type, status]);
  expect(Object.fromEntries(statuses)).toEqual({
    Ready: 'False',
    VMCreated: 'True',
    ResourcesAllocated: 'Unknown',
    NetworkConfigured: 'Unknown',
  });
});

describe('after a failure that lasts', () => {
  const lasting = new RefusedError([
    { machine: 'web', why: 'lasting', detail: 'It lasts.', remedy: 'Mend it.' },
  ]);
  const failedWith = (during: (record: MachineRecord) => void): MachineRecord => {
    const record = new MachineRecord('team', machine());
    record.want(machine());
    record.begins();
    during(record);
    record.failed(lasting, { isOver: false, isThere: false });
    record.isAtWork = false;
    return record;
  };
  test('the same spec waits', () => {
    const record = failedWith(each => each.want(machine()));
    expect(record.isDue(performance.now())).toBe(false);
    expect(record.told('lab')).toMatchObject({
      nextTry: expect.any(String) as string,
      waitsForNewSpec: true,
    });
  });
  test('a new spec that came during the attempt does not, and waits once it has failed too', () => {
    const record = failedWith(each => each.want(machine({ memory: '2Gi' })));
    expect(record.isDue(performance.now())).toBe(true);
    expect(record.retryAt).toBe(0);
    expect(record.told('lab')).not.toHaveProperty('nextTry');
    expect(record.told('lab')).toMatchObject({ waitsForNewSpec: false });
    record.begins();
    record.failed(lasting, { isOver: false, isThere: false });
    record.isAtWork = false;
    expect(record.isDue(performance.now())).toBe(false);
  });
});

describe('the conditions blame what a failure is about', () => {
  const upid = 'UPID:pve1:00001:00002:65000000:qmcreate:101:root@pam:';
  const full = 'lvcreate error: Volume group "pve" has insufficient free space (1 extents): 1024 required.';
  const refused = (cause: Pick<Refusal, 'cause'> = {}): RefusedError => {
    const detail = "bridge 'vmbr9' not found on node pve1, which has vmbr0.";
    return new RefusedError([
      { machine: 'web', why: 'bridge-not-found', detail, remedy: 'Name one.', ...cause },
    ]);
  };
  const task = new TaskError('failed', { upid, node: 'pve1', exitStatus: 'create failed', log: [full] });
  const bridge = { about: 'bridge', facts: {} } as const;
  test.each<[what: string, error: unknown, blamed: string | undefined]>([
    ['a refusal, by its cause', refused({ cause: bridge }), 'NetworkConfigured'],
    ['and by no word of its text', refused(), undefined],
    [
      'a storage that is full',
      new PveError('failed', { method: 'POST', path: '/', text: full }),
      'ResourcesAllocated',
    ],
    ['as the log of a task says', task, 'ResourcesAllocated'],
    ['until the time was up', new TimeUpError('web', '1m', 'it was tried', task), 'ResourcesAllocated'],
    ['anything else', new Error('no'), undefined],
  ])('%s', (_, error, blamed) => {
    const record = new MachineRecord('team', machine());
    record.failed(error, { isOver: false, isThere: true });
    const failed = record.outputs.conditions.filter(
      ({ type, status }) => type !== 'Ready' && status === 'False',
    );
    expect(failed.map(({ type }) => type)).toEqual(blamed === undefined ? [] : [blamed]);
  });
});
