import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { World } from '../../../simulator';
import type { Before } from '../../../simulator/control/site';
import { endState } from '../../support/cluster/end-state';
import { eachUntilDone } from '../../support/in-parallel';
import { cliLab, desiredText, start } from '../../support/processes/cli';
import { EVERY } from '../../support/turns';

/** In the gate the daemon is interrupted at every third write; with KILLS=every at each request. */

const SETTINGS = {
  RECONCILE_INTERVAL: '200ms',
  METRICS_BIND_ADDRESS: '0',
  HEALTH_PROBE_BIND_ADDRESS: '0',
  STATUS_BIND_ADDRESS: '0',
  // what left before the daemon began is pruned by the name of its source
  PVE_SOURCE: 'interrupted',
};

const web = {
  id: 'web',
  image: { blank: true },
  node: 'pve1',
  memory: '1Gi',
  restart: 'whenNeeded',
  shutdownTimeout: '1s',
};
const other = { id: 'other', image: { blank: true }, node: 'pve2', power: 'stopped' };
const WAYS = {
  create: { had: [other], wanted: [other, web] },
  change: { had: [other, web], wanted: [other, { ...web, memory: '2Gi', tags: ['new'] }] },
  prune: { had: [other, web], wanted: [other] },
};

const worlds = new Map<unknown, World>();
async function worldWith(machines: readonly { id: string }[]): Promise<World> {
  const key = JSON.stringify(machines);
  if (!worlds.has(key)) {
    const lab = await cliLab();
    expect(await lab.people('reconcile', [...machines], ['--source', 'interrupted'])).toMatchObject({
      code: 0,
    });
    worlds.set(key, structuredClone(lab.world));
    await lab.close();
  }
  return structuredClone(worlds.get(key)!);
}

/** From request `k` on, once the machines are worked on, all wait until `release`. */
function heldAt(k: number) {
  let seen = 0;
  let isMet = false;
  let release = (): void => undefined;
  const released = new Promise<void>(resolve => (release = resolve));
  const before: Before = ({ method }) => {
    if (method === 'GET' && !EVERY) return;
    seen += 1;
    if (seen !== (EVERY ? k : k * 3) + 1) return;
    isMet = true;
    return released;
  };
  return { before, isMet: () => isMet, release: () => release() };
}

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'interrupted-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

test.each(Object.entries(WAYS))(
  'SIGTERM at request k of a %s: the daemon ends with 0, and a later one completes, for every k',
  async (way, { had, wanted }) => {
    const before = await worldWith(had);
    await eachUntilDone(2, async k => {
      const held = heldAt(k);
      const lab = await cliLab({ taskMs: 50, world: structuredClone(before), before: held.before });
      const file = join(folder, `${way}-${k}.json`);
      writeFileSync(`${file}.new`, desiredText(wanted));
      renameSync(`${file}.new`, file);
      const begin = () => start(['run', '--prune', '--spec', file], { ...lab.access, ...SETTINGS });
      const isDone = (): boolean => isAsWanted(lab.world, wanted);
      const first = begin();
      while (!held.isMet() && !isDone() && first.child.exitCode === null) await sleep(10);
      const isMet = held.isMet();
      first.child.kill('SIGTERM');
      if (isMet) await first.said('SIGTERM: nothing more is started');
      held.release();
      expect([k, (await first.ended).code]).toEqual([k, 0]);
      const second = begin();
      await second.said('Started the daemon');
      while (!isDone()) await sleep(10);
      second.child.kill('SIGTERM');
      expect({ k, code: (await second.ended).code }).toEqual({ k, code: 0 });
      expect(await lab.people('plan', wanted, ['--check'])).toMatchObject({ code: 0 });
      for (const { id } of WAYS.change.wanted) {
        const { guests, orphans, broken } = endState(lab.simulator, id) as Record<string, unknown[]>;
        const many = wanted.filter(each => each.id === id).length;
        expect({ k, id, many: guests?.length, orphans, broken }).toEqual({
          k,
          id,
          many,
          orphans: [],
          broken: [],
        });
      }
      await lab.close();
      return !isMet;
    });
  },
);

/** Whether each machine of these, and no other of ours, is there with its memory and its power. */
function isAsWanted(
  { guests }: World,
  wanted: readonly { id: string; memory?: string; power?: string }[],
): boolean {
  const ours = Object.values(guests).filter(({ config }) => config['description']?.includes('<!-- pvr:'));
  return (
    ours.length === wanted.length &&
    wanted.every(({ id, memory, power }) => {
      const guest = ours.find(({ config }) => config['name'] === id);
      const isRight = memory === undefined || guest?.config['memory'] === String(parseInt(memory) * 1024);
      return (
        isRight && guest?.config['lock'] === undefined && (guest?.running !== null) === (power === undefined)
      );
    })
  );
}
