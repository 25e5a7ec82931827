import type { Simulator } from '../../simulator';
import { FastClient } from '../support/api/fast-client';
import { ask, authorizationOf } from '../support/cluster/ask';
import { TOKEN, startCluster } from '../support/cluster/start-cluster';

/** `npm run test:campaign:unit` runs a thousand. */
const RACES = Number(process.env['RACES'] ?? 80);

let simulator: Simulator;

afterEach(() => simulator.close());

async function exitOf(upid: string): Promise<string> {
  const path = `/nodes/${upid.split(':')[1]}/tasks/${encodeURIComponent(upid)}/status`;
  for (;;) {
    const { data } = (await ask(simulator, 'GET', path)).json;
    if (data.status === 'stopped') return data.exitstatus;
  }
}

it(`gives an id to one of two creators on different nodes, ${RACES} times out of ${RACES}`, async () => {
  simulator = await startCluster({ taskMs: 0 });
  const client = new FastClient(`${simulator.url}/api2/json`, 16);
  const create = (node: string, vmid: number) =>
    client.send({
      method: 'POST',
      path: `/nodes/${node}/qemu`,
      headers: { authorization: authorizationOf(TOKEN) },
      body: `vmid=${vmid}&name=of-${node}`,
    });

  const race = async (vmid: number): Promise<string> => {
    const answers = await Promise.all([create('pve1', vmid), create('pve2', vmid)]);
    const won = answers.filter(answer => answer?.status === 200);
    const lost = answers.find(answer => answer?.status !== 200);
    const reason = new RegExp(
      `^unable to create VM ${vmid} - VM ${vmid} already exists on node 'pve[12]'$`,
    ).test(lost?.reason ?? '');
    return won.length === 1 && reason ? 'one' : answers.map(answer => answer?.reason).join(' and ');
  };
  const outcomes: Record<string, number> = {};
  for (let first = 0; first < RACES; first += 8) {
    const ids = Array.from({ length: Math.min(8, RACES - first) }, (_, n) => 20_000 + first + n);
    for (const outcome of await Promise.all(ids.map(race))) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  client.close();
  expect(outcomes).toEqual({ one: RACES });
  const guests = Object.values(simulator.world.guests).filter(({ vmid }) => vmid >= 20_000);
  expect(guests).toHaveLength(RACES);
});

it('fails a clone inside its task when another node has taken the id', async () => {
  simulator = await startCluster({ taskMs: 0 });
  const create = await ask(simulator, 'POST', '/nodes/pve2/qemu', { form: { vmid: '300' } });
  expect(await exitOf(create.json.data)).toBe('OK');
  const clone = await ask(simulator, 'POST', '/nodes/pve1/qemu/9000/clone', { form: { newid: '300' } });
  expect(clone.status).toBe(200);
  expect(await exitOf(clone.json.data)).toBe(
    "close (rename) atomic file '/etc/pve/nodes/pve1/qemu-server/300.conf' failed: File exists",
  );
  expect(simulator.world.guests[300]).toMatchObject({ node: 'pve2' });
});

it('lets one of a creator and a cloner have the id, and leaves nothing of the other', async () => {
  simulator = await startCluster({ taskMs: 0 });
  for (let vmid = 400; vmid < 440; vmid += 1) {
    const answers = await Promise.all([
      ask(simulator, 'POST', '/nodes/pve1/qemu/9000/clone', { form: { newid: String(vmid), name: 'clone' } }),
      ask(simulator, 'POST', '/nodes/pve2/qemu', {
        form: { vmid: String(vmid), name: 'created', scsi0: 'local-lvm:1' },
      }),
    ]);
    const upids = answers.filter(({ status }) => status === 200).map(({ json }) => json.data);
    const exits = await Promise.all(upids.map(exitOf));
    expect(exits.filter(exit => exit === 'OK')).toHaveLength(1);
  }
  const homes = Object.values(simulator.world.guests).map(({ vmid, node }) => ({ vmid, node }));
  const strays = simulator.world.volumes.filter(
    ({ vmid, node }) => node !== null && !homes.some(home => home.vmid === vmid && home.node === node),
  );
  expect(strays.filter(({ vmid }) => vmid !== undefined)).toEqual([]);
});

it('gives the same next id to both who ask, for it reserves nothing', async () => {
  simulator = await startCluster({ taskMs: 0 });
  const [first, second] = await Promise.all([
    ask(simulator, 'GET', '/cluster/nextid'),
    ask(simulator, 'GET', '/cluster/nextid'),
  ]);
  expect(first.json.data).toMatch(/^\d+$/);
  expect(second.json.data).toBe(first.json.data);
});
