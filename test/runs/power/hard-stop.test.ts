import { marked } from '../../support/cluster/end-state';
import { desired, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';

const web = { id: 'web', node: 'pve1', image: { blank: true }, shutdownTimeout: '2s' };
const off = { ...web, power: 'stopped' };
const ha = { ha: {} };
const HARD = 'has not shut down in 1 s: in 1 s Proxmox stops it hard.';
const BY_HA = 'has not shut down in 1 s: HA stops it hard 2 s after it began to shut it down.';

let cluster: Lab;
/** What was announced, and whether the guest still ran then. */
let said: { text: string; runs: boolean }[];
const runs = (): boolean => marked(cluster.world, 'web')[0]?.running !== null;

async function open(timeScale: number, machine: Json, obeysShutdown: boolean): Promise<void> {
  said = [];
  cluster = await lab({
    timeScale,
    told: event => {
      if (event.kind === 'progress' && event.text.startsWith('has not shut down'))
        said.push({ text: event.text, runs: runs() });
    },
  });
  expect(errorsOf(await cluster.run(desired([machine])))).toEqual([]);
  const [guest] = marked(cluster.world, 'web');
  if (guest) guest.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown };
}
afterEach(() => cluster.close());

const stop = async (machine: Json): Promise<string[]> => errorsOf(await cluster.run(desired([machine])));

test('a guest that does not shut down is stopped hard, and that is announced while it runs', async () => {
  await open(1, web, false);
  expect(await stop(off)).toEqual([]);
  expect(said).toEqual([{ text: expect.stringContaining(HARD), runs: true }]);
  expect(runs()).toBe(false);
});

test('HA stops one hard too, also where forceStop is false', async () => {
  await open(4, { ...web, ...ha }, false);
  expect(await stop({ ...off, ...ha, forceStop: false })).toEqual([]);
  expect(said).toEqual([{ text: expect.stringContaining(BY_HA), runs: true }]);
  expect(runs()).toBe(false);
});

test('one that shuts down is not', async () => {
  await open(1, web, true);
  expect(await stop(off)).toEqual([]);
  expect(said).toEqual([]);
});

test('what has one second is stopped without a word: there was no time for one', async () => {
  await open(1, web, false);
  expect(await stop({ ...off, shutdownTimeout: '1s' })).toEqual([]);
  expect(said).toEqual([]);
  expect(runs()).toBe(false);
});

test('nor one that must not be stopped hard: it stays on, and that is an error', async () => {
  await open(1, web, false);
  expect(await stop({ ...off, forceStop: false })).toHaveLength(1);
  expect(said).toEqual([]);
  expect(runs()).toBe(true);
});
