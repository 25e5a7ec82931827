import { MachineRecord } from '../../reconciler/daemon/machine-record';
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

test.each([{ power: 'stopped' as const }, { node: 'pve9' }, { digest: 'another' }, { vmid: 4711 }])(
  'a guest with another %j is read again',
  changed => {
    const record = recordOfOneThatIsThere();
    expect(record.isSeenAs(found())).toBe(true);
    expect(record.isSeenAs(found(changed))).toBe(false);
  },
);
