import { administratorOf, type Administrator } from '../../support/cluster/administrator';
import { marked } from '../../support/cluster/end-state';
import { HeldRequests } from '../../support/cluster/held-requests';
import { lab, type Lab } from '../../support/cluster/lab';
import { moves, paceOf, worldBefore } from '../../support/runs/moves';

const SID = 'vm:10000';
const MOVE = 'POST /nodes/pve2/qemu/10000/migrate';

let cluster: Lab;
afterEach(() => cluster.close());

const node = (): string[] => marked(cluster.world, 'web').map(each => each.node);
const types = (): string[] => cluster.simulator.sim.tasks.all().map(({ type }) => type);
// HA's manager has seen it
const joins = (state: string) => () => {
  cluster.world.ha.resources[SID] = { sid: SID, state, settings: {} };
  cluster.world.ha.services[SID] = { state, node: 'pve2', done: true, failures: 0 };
};
/** A run on its way, in which somebody else acts directly before the guest is moved. */
async function beside(way: string, act: (admin: Administrator) => unknown): Promise<string[]> {
  const move = moves[way]!;
  const held = new HeldRequests();
  const world = await worldBefore(move);
  // by a clock that runs fast, because HA takes its turns
  cluster = await lab({ ...paceOf({ ...move, isHaManaged: true }, 5), world, before: held.before });
  const asked = held.next(MOVE);
  const ended = cluster.bring(move.want);
  await asked.met;
  await act(administratorOf(cluster));
  asked.release();
  return ended;
}

describe('just before a pinned machine is moved, somebody else', () => {
  const at = '/nodes/pve2/qemu/10000';
  it('gives it to HA: HA moves it once, and that is waited for', async () => {
    expect(await beside('shared disks, running, alone', joins('started'))).toEqual([]);
    expect(node()).toEqual(['pve3']);
    expect(types().filter(type => type === 'hamigrate')).toHaveLength(1);
  });

  it('takes it out of HA: it is moved without', async () => {
    const leaves = () => delete cluster.world.ha.resources[SID];
    expect(await beside('shared disks, running, by HA', leaves)).toEqual([]);
    expect(node()).toEqual(['pve3']);
  });

  it.each([
    ['starts it', 'local disks, stopped, alone', 'start'],
    ['stops it', 'local disks, running, alone', 'stop'],
  ])('%s: it is moved as it is', async (_, way, word) => {
    expect(await beside(way, admin => admin('POST', `${at}/status/${word}`))).toEqual([]);
    expect(node()).toEqual(['pve3']);
  });

  it('moves it to another node: it is moved from there', async () => {
    const online = { online: '1', 'with-local-disks': '1' };
    const move = (admin: Administrator) => admin('POST', `${at}/migrate`, { target: 'pve1', ...online });
    expect(await beside('local disks, running, alone', move)).toEqual([]);
    expect(node()).toEqual(['pve3']);
  });

  it('lets HA move it to another node: it is moved from there', async () => {
    const move = (admin: Administrator) => admin('POST', `${at}/migrate`, { target: 'pve1', online: '1' });
    expect(await beside('shared disks, running, by HA', move)).toEqual([]);
    expect(node()).toEqual(['pve3']);
  });
});

it('a move that HA begins and cannot end is told with what HA says, and the machine runs where it was', async () => {
  const unplug = () => {
    const there = cluster.world.nodes.find(({ name }) => name === 'pve3')!;
    there.bridges = [];
  };
  const [error] = await beside('shared disks, running, by HA', unplug);
  expect(error).toMatch(/HA has begun to move it to pve3 and left it on pve2/);
  expect(node()).toEqual(['pve2']);
  expect(marked(cluster.world, 'web')[0]!.running).not.toBeNull();
});

// as it does with what it is asked before its first round with a guest (Manager.pm, as read)
it('a move that HA forgets is asked for again, and done once', async () => {
  const move = moves['shared disks, running, by HA']!;
  const held = new HeldRequests();
  cluster = await lab({ ...paceOf(move, 5), world: await worldBefore(move), before: held.before });
  const asked = held.next(MOVE);
  const ended = cluster.bring(move.want);
  await asked.met;
  const looked = held.next('GET /nodes/pve2/qemu/10000/status/current');
  asked.release();
  await looked.met;
  cluster.world.ha.commands = [];
  looked.release();
  expect(await ended).toEqual([]);
  expect(node()).toEqual(['pve3']);
  expect(types().filter(type => type === 'qmigrate')).toHaveLength(1);
});
