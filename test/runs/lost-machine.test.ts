import { numbersBelow } from '../support/in-parallel';
import type { Lab } from '../support/cluster/lab';
import { lab, labWorld } from '../support/cluster/lab';
import { scenarios } from '../support/runs/scenarios';

const GiB = 1024 ** 3;
const blank = { ...scenarios['create blank']!.want!, memory: '1Gi' };
const MADE = 10_000;
const LOST = 30_000;

let cluster: Lab;
afterEach(() => cluster.close());

/** Guests of others with 2 GiB, and after them the machine, which somebody has renamed and taken our tag from. */
async function openBeside(others: number): Promise<void> {
  const world = labWorld();
  cluster = await lab({ world, taskMs: 0 });
  expect(await cluster.bring(blank)).toEqual([]);
  const made = cluster.world.guests[MADE]!;
  for (const index of numbersBelow(others)) {
    const vmid = 20_000 + index;
    const config = { name: `guest-${index}`, memory: '2048' };
    cluster.world.guests[vmid] = { ...structuredClone(made), vmid, config, running: null };
  }
  const { tags: _, ...config } = made.config;
  cluster.world.guests[LOST] = { ...made, vmid: LOST, config: { ...config, name: 'former' } };
  delete cluster.world.guests[MADE];
  for (const volume of cluster.world.volumes) if (volume.vmid === MADE) volume.vmid = LOST;
  cluster.calls();
}

test('a machine without its tag and its name is found behind 300 guests of another size, of which 20 are read', async () => {
  await openBeside(300);
  expect(await cluster.bring(blank)).toEqual([]);
  const reads = new Set(cluster.calls().filter(line => /GET .*\/20\d\d\d\/pending$/.test(line)));
  expect(reads.size).toBe(20);
  expect(cluster.world.guests[LOST]?.config).toMatchObject({ name: 'web', memory: String(GiB / 2 ** 20) });
  expect(cluster.world.guests[MADE]).toBeUndefined();
});

test('of guests that may be the machine no more than 200 are read', async () => {
  await openBeside(300);
  const others = Object.values(cluster.world.guests).filter(({ vmid }) => vmid >= 20_000 && vmid < LOST);
  for (const { config } of others) config['memory'] = '1024';
  expect(await cluster.bring(blank)).toEqual([]);
  const reads = new Set(cluster.calls().filter(line => /GET .*\/20\d\d\d\/pending$/.test(line)));
  expect(reads.size).toBe(200);
});
