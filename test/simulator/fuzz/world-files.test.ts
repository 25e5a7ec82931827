import type { World } from '../../../simulator';
import { loadWorld } from '../../../simulator';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import type { Random } from '../../../simulator/random';
import { seededRandom } from '../../../simulator/random';
import { createSim } from '../../../simulator/cluster/sim';
import recorded from '../../contract/recordings/world.json';
import { pick } from '../../support/random/values';
import { ask, authorizationOf } from '../../support/cluster/ask';
import { TOKEN, startCluster } from '../../support/cluster/start-cluster';
import { TIMES } from '../../support/random/tries';

/** The gate plays one seed, so that it is red only for a change; FUZZ_SEED plays another. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const WORLDS = 1000 * TIMES;
const STARTED = 25;

const GUESTS = [
  { vmid: 100, node: 'pve1', config: { name: 'a', memory: '512' } },
  { vmid: 101, node: 'pve2', running: true, config: { name: 'b' }, snapshots: {} },
];

const ODD = [
  null,
  0,
  -1,
  1.5,
  1e300,
  '',
  'x',
  'pve1',
  true,
  [],
  {},
  [[]],
  { a: 1 },
  '__proto__',
  'local-lvm:x',
];

type Place = [holder: Record<string, unknown>, key: string];

function placesIn(value: unknown, places: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return places;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    places.push([holder, key]);
    placesIn(holder[key], places);
  }
  return places;
}

/** Changes something anywhere: takes it away, puts something else there, or the same under another name. */
function mutate(random: Random, world: unknown): void {
  const places = placesIn(world);
  const [holder, key] = pick(random, places);
  const [otherHolder, otherKey] = pick(random, places);
  const change = random.below(5);
  if (change === 0 && Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (change === 0) delete holder[key];
  else if (change === 1) holder[key] = structuredClone(pick(random, ODD));
  else if (change === 2) holder[key] = structuredClone(otherHolder[otherKey]);
  else if (change === 3)
    holder[pick(random, ['bogus', 'constructor', otherKey])] = structuredClone(holder[key]);
  else if (Array.isArray(holder[key]))
    holder[key].push(structuredClone(pick(random, holder[key].concat(null))));
}

/** The world of a changed file, or why there is none. */
function tryWorld(random: Random): World | Error {
  const json: unknown = structuredClone({ ...recorded, guests: GUESTS });
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) mutate(random, json);
  try {
    return loadWorld(JSON.parse(JSON.stringify(json)));
  } catch (error) {
    return error as Error;
  }
}

test(`a changed world file is refused with a reason, or gives a world that is whole, seed ${SEED}`, async () => {
  const random = seededRandom(SEED);
  const outcomes = Array.from({ length: WORLDS }, () => tryWorld(random));
  const refused = outcomes.filter((outcome): outcome is Error => !('nodes' in outcome));
  const names = new Set(refused.map(({ name }) => name));
  expect([...names]).toEqual(['WorldFileError']);
  expect(refused.filter(({ message }) => !/^.+: .+/.test(message)).map(({ message }) => message)).toEqual([]);
  const worlds = outcomes.filter((outcome): outcome is World => 'nodes' in outcome);
  const broken = worlds.flatMap(world =>
    brokenInvariants(createSim(world, { seed: 1, timeScale: 'held', lagMs: 0 })),
  );
  expect(broken).toEqual([]);
  expect(worlds.length).toBeGreaterThan(STARTED);
  expect(refused.length).toBeGreaterThan(STARTED);
});

test(`a world that was taken can be served, seed ${SEED}`, async () => {
  const random = seededRandom(SEED);
  const simulator = await startCluster({ timeScale: 'held' });
  const headers = { authorization: authorizationOf(TOKEN) };
  let served = 0;
  while (served < STARTED) {
    const world = tryWorld(random);
    if (!('nodes' in world) || !world.nodes.some(({ name }) => name === 'pve1')) continue;
    served += 1;
    world.access.users['root@pam']!.tokens['full'] =
      simulator.world.access.users['root@pam']!.tokens['full']!;
    simulator.reset(world);
    const name = world.nodes[0]!.name;
    for (const path of [
      '/cluster/resources',
      '/cluster/status',
      '/nodes',
      `/nodes/${name}/qemu`,
      '/storage',
      '/access/users',
    ])
      await ask(simulator, 'GET', path, { headers });
    await ask(simulator, 'POST', '/_sim/clock', { json: { advance: 60_000 } });
    expect(simulator.sim.defects.all()).toEqual([]);
  }
  await simulator.close();
});
