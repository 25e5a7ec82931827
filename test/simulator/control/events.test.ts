import type { Simulator } from '../../../simulator';
import { defaultWorld } from '../../../simulator';
import { ask, askToEnd } from '../../support/cluster/ask';
import type { Told } from '../../support/cluster/follow';
import { follow } from '../../support/cluster/follow';
import { startCluster } from '../../support/cluster/start-cluster';
import { until } from '../../support/daemon/daemon-lab';

let simulator: Simulator;
let open: { close: () => void }[] = [];

const start = async (options: Parameters<typeof startCluster>[0] = {}): Promise<void> => {
  simulator = await startCluster(options);
};
const reader = async () => {
  const made = await follow(simulator);
  open.push(made);
  return made;
};
/** The first message that tells what is looked for. */
const told = async <T>(messages: Told[], find: (message: Told) => T | undefined): Promise<T> => {
  const look = (): T | undefined => messages.map(find).find(each => each !== undefined);
  return (await until(look, found => found !== undefined)) as T;
};
const guest = (vmid: number) => (message: Told) => message.guests?.rows.find(row => row['vmid'] === vmid);
const sim = (path: string, json: unknown) => ask(simulator, 'POST', `/_sim${path}`, { json });

afterEach(async () => {
  open.forEach(({ close }) => close());
  open = [];
  await simulator.close();
});

it('tells all there is at once, and then what changes', async () => {
  await start();
  const { messages } = await reader();
  const first = await told(messages, message => (message.guests?.all ? message : undefined));
  expect(first.nodes?.rows).toMatchObject([
    { name: 'pve1', state: 'up' },
    { name: 'pve2' },
    { name: 'pve3' },
  ]);
  expect(first.guests?.rows.map(row => row['vmid'])).toEqual([100, 101, 9000, 9001]);
  messages.length = 0;
  await sim('/event', { kind: 'lock', vmid: 100, lock: 'backup' });
  expect(await told(messages, guest(100))).toMatchObject({ lock: 'backup', state: 'running' });
  expect(messages.flatMap(({ guests }) => guests?.rows ?? [])).toHaveLength(1);
  await sim('/node', { action: 'api-down', node: 'pve2' });
  expect(await told(messages, ({ nodes }) => nodes?.rows[0])).toMatchObject({
    name: 'pve2',
    state: 'API down',
  });
  await sim('/faults', { path: '/version', effect: { kind: 'half' } });
  expect(await told(messages, ({ faults }) => faults?.rows[0])).toMatchObject({
    fault: { path: '/version' },
  });
});

it('tells of tasks, requests, and an agent that begins to answer by itself', async () => {
  await start({ timeScale: 4 });
  const { messages } = await reader();
  await askToEnd(simulator, 'POST', '/nodes/pve1/qemu/9000/clone', { form: { newid: '200', full: '1' } });
  const started = await askToEnd(simulator, 'POST', '/nodes/pve1/qemu/200/status/start');
  const task = await told(messages, ({ tasks }) =>
    tasks?.rows.find(row => row['upid'] === started.data && row['exitstatus'] === 'OK'),
  );
  expect(task).toMatchObject({ type: 'qmstart', user: 'root@pam!full' });
  const { lines } = (await ask(simulator, 'GET', `/_sim/tasks/log?upid=${encodeURIComponent(started.data)}`))
    .json;
  expect(lines.at(-1)).toBe('TASK OK');
  expect(await told(messages, ({ requests }) => requests?.rows[0])).toMatchObject({
    method: 'POST',
    status: 200,
  });
  const answering = await told(messages, message => {
    const row = guest(200)(message);
    return row?.['agent'] === 'answers' ? row : undefined;
  });
  expect(answering['addresses']).toEqual([expect.stringMatching(/^10\./)]);
  await askToEnd(simulator, 'POST', '/nodes/pve1/qemu/200/status/stop');
  await askToEnd(simulator, 'DELETE', '/nodes/pve1/qemu/200');
  expect(await told(messages, ({ guests }) => guests?.gone.find(key => key === 200))).toBe(200);
});

it('keeps nothing for one that reads slowly: it gets what is so then, not what was', async () => {
  await start({ world: defaultWorld(3, 3000) });
  const slow = await reader();
  const quick = await reader();
  await told(slow.messages, message => (message.guests?.all ? message : undefined));
  slow.pause();
  // 9 MB a round: more than the kernel keeps for the two ends of a connection
  for (let round = 1; round <= 6; round += 1) {
    const tags = `round-${round};${'x'.repeat(3000)}`;
    for (const { config } of Object.values(simulator.world.guests)) config['tags'] = tags;
    await ask(simulator, 'GET', '/version');
    await told(quick.messages, message => (guest(10_001)(message)?.['tags'] === tags ? true : undefined));
  }
  slow.resume();
  await told(slow.messages, message =>
    String(guest(10_001)(message)?.['tags']).startsWith('round-6') ? true : undefined,
  );
  expect(quick.bytes()).toBeGreaterThan(50_000_000);
  expect(slow.bytes()).toBeLessThan(quick.bytes() / 1.8);
});

it('eight pages follow at once, and one more is turned away until one of them leaves', async () => {
  await start();
  const readers = await Promise.all(Array.from({ length: 8 }, reader));
  expect(readers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect((await ask(simulator, 'GET', '/_sim/events')).json.error).toContain('8 pages follow already');
  readers[0]!.close();
  const again = await until(
    async () => {
      const one = await reader();
      return one.status;
    },
    status => status === 200,
  );
  expect(again).toBe(200);
});

it('starts all over for its readers when the world is another one', async () => {
  await start();
  const { messages } = await reader();
  await ask(simulator, 'GET', '/version');
  await told(messages, ({ requests }) => requests?.rows[0]);
  messages.length = 0;
  delete simulator.world.guests[100];
  await ask(simulator, 'POST', '/_sim/ledger').catch(() => undefined);
  await ask(simulator, 'DELETE', '/_sim/ledger');
  expect(await told(messages, ({ guests }) => guests?.gone[0])).toBe(100);
  expect(await told(messages, ({ about }) => (about['requests'] === 0 ? true : undefined))).toBe(true);
  await sim('/reset', undefined);
  expect(await told(messages, guest(100))).toMatchObject({ node: 'pve3' });
});
