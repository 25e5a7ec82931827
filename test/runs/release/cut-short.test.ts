import { lab, type Lab } from '../../support/cluster/lab';
import { openToRoot } from '../../support/cluster/start-cluster';
import { isOurs, preparedForRelease, releaseLine } from '../../support/runs/release-stage';
import type { World } from '../../../simulator';

/** From when on nothing of the run arrives any more: then Proxmox is as after its kill. */
let ends: ((method: string) => boolean) | undefined;
let cluster: Lab;
let world: World;
let wanted: string;

const EVERYTHING = { path: '/**', effect: { kind: 'answer', status: 401, text: 'gone' } } as const;
const shown = ({ guests, volumes }: World): string => JSON.stringify({ guests, volumes });

beforeAll(async () => {
  cluster = await lab({
    taskMs: 0,
    before: ({ method }) => {
      if (ends?.(method) === true) {
        ends = undefined;
        cluster.simulator.faults.add(EVERYTHING);
      }
      return Promise.resolve();
    },
  });
  world = await preparedForRelease(cluster);
  await begun();
  expect(await releaseLine(cluster)).toMatchObject({ code: 0 });
  wanted = shown(cluster.world);
});
afterAll(() => cluster.close());

async function begun(): Promise<void> {
  cluster.simulator.faults.clear();
  cluster.simulator.reset(openToRoot(structuredClone(world)));
  return Promise.resolve();
}

/** Runs it twice: the first is cut short. Whether it was. */
async function twice(isOver: (method: string) => boolean): Promise<boolean> {
  await begun();
  let wasCut = false;
  ends = method => (wasCut = isOver(method));
  const first = await releaseLine(cluster);
  ends = undefined;
  cluster.simulator.faults.clear();
  const isLeft = [300, 310].some(vmid => isOurs(cluster.world.guests[vmid]));
  if (!wasCut) expect(first).toMatchObject({ code: 0 });
  const second = await releaseLine(cluster);
  // where nothing of the owner is left the second says so, with the code of a mistyped owner
  expect(second).toMatchObject(isLeft ? { code: 0 } : { code: 2 });
  expect(shown(cluster.world)).toBe(wanted);
  return wasCut;
}

test('cut short before each of its requests, and run again, it ends the same', async () => {
  let count = 0;
  for (;;) {
    let seen = 0;
    if (!(await twice(() => seen++ === count))) break;
    count += 1;
  }
  expect(count).toBeGreaterThan(8);
});

test.each([1, 2])(
  'cut short when write %i is done and its answer on the way, it ends the same',
  async nth => {
    await begun();
    let writes = 0;
    const lose = { path: '/**', methods: ['PUT'], count: 1, after: nth - 1 } as const;
    const wasCut = await twice(method => {
      if (method === 'PUT' && ++writes === 1)
        cluster.simulator.faults.add({ ...lose, methods: ['PUT'], effect: { kind: 'reset', work: 'done' } });
      return writes >= nth && method === 'GET';
    });
    expect(wasCut).toBe(true);
  },
);
