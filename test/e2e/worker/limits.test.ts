import type { Simulator } from '../../../simulator';
import { inParallel, numbersBelow } from '../../support/in-parallel';
import { sharedLab, type SharedLab } from '../../support/processes/shared-lab';
import { EVERY } from '../../support/turns';

const LIMIT = 2;
const MANY = EVERY ? 50 : 20;
const cluster = { PROXMOX_CLUSTER: JSON.stringify({ name: 'lab', limits: { clonesPerTemplate: LIMIT } }) };
const clone = (id: string) => ({ id, image: { template: 'ubuntu-22.04' }, power: 'stopped' });

let lab: SharedLab;
beforeEach(async () => (lab = await sharedLab({ taskMs: 50 })));
afterEach(() => lab.close());

/** The most clones that ran at once, so far. */
function mostClones({ sim: { tasks } }: Simulator): () => number {
  let most = 0;
  const start = tasks.start.bind(tasks);
  tasks.start = (...given) => {
    const upid = start(...given);
    const running = tasks.all().filter(({ type, status }) => type === 'qmclone' && status === 'running');
    most = Math.max(most, running.length);
    return upid;
  };
  return () => most;
}

test(`${MANY} processes, ten at once, keep to the clones of a template in all, and no id is lost`, async () => {
  const most = mostClones(lab.simulator);
  const ids = numbersBelow(MANY).map(index => `m${index}`);
  const { told } = await lab.observe(Object.fromEntries(ids.map(id => [id, clone(id)])));
  await inParallel(10, ids, async id => {
    const token = { PROXMOX_TOKEN: told[`${id}.token`] ?? '' };
    const { code, stderr } = await lab.apply(clone(id), { ...cluster, ...token }).ended;
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });
  expect(most()).toBe(LIMIT);
  const guests = ids.map(id => lab.guests(id));
  expect(guests.map(({ length }) => length)).toEqual(ids.map(() => 1));
  expect(new Set(guests.flat().map(({ vmid }) => vmid)).size).toBe(MANY);
  const sent = lab.writes().filter(line => line.endsWith('/qemu/9000/clone'));
  expect(sent).toHaveLength(MANY);
});
