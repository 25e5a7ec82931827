import type { ServerResponse } from 'node:http';
import { connect, createGuest } from '../../../reconciler/pve';
import { answerData, answeringServer } from '../../support/api/answering-server';
import { pveConfig } from '../../support/reconciler/pve-config';

const TASK_MS = 400;
const TASKS = 6;

type Row = { upid: string; type: string; id: string };
/** What a node's list tells, of the tasks that run; `n`: how often it was read before. */
type List = (running: Row[], n: number, response: ServerResponse) => Row[] | undefined;

/** Makes guests at once on a node whose list tells what `list` says, with tasks of 400 ms. */
async function followed(list: List, tasks = TASKS) {
  const ends = new Map<string, number>();
  const asked = { lists: 0, statuses: 0 };
  const statusOf = (upid: string): string | undefined => {
    const end = ends.get(upid);
    return end === undefined ? undefined : Date.now() < end ? 'running' : 'stopped';
  };
  const server = await answeringServer(({ method, url }, response) => {
    if (method === 'POST') {
      const upid = `UPID:pve1:0000A${ends.size}:1:65A0B1C2:qmcreate:${100 + ends.size}:tester@pve!t1:`;
      ends.set(upid, Date.now() + TASK_MS);
      return answerData(response, upid);
    }
    const [, upid = ''] = /\/tasks\/([^/?]+)\/status/.exec(decodeURIComponent(url)) ?? [];
    if (upid !== '') {
      asked.statuses += 1;
      const status = statusOf(upid);
      return answerData(response, status === 'running' ? { status } : { status, exitstatus: 'OK' });
    }
    asked.lists += 1;
    const running = [...ends.keys()].filter(one => statusOf(one) === 'running');
    const rows = list(
      running.map(one => ({ upid: one, type: 'qmcreate', id: '' })),
      asked.lists - 1,
      response,
    );
    return rows === undefined ? undefined : answerData(response, rows);
  });
  const pve = connect({ ...pveConfig(server.url), poll: { floorMs: 50, ceilingMs: 2_000 } });
  const make = async (vmid: number): Promise<string | undefined> =>
    (await createGuest(pve, 'pve1', { vmid }, { timeoutMs: 20_000 })).type;
  const made = await Promise.all(Array.from({ length: tasks }, (_, n) => make(100 + n)));
  const again = (): Promise<string | undefined> => make(900);
  return {
    ...{ made, asked, again },
    close: async () => {
      await pve.close();
      await server.close();
    },
  };
}

/** What `followed` asks where the list is never of use: the looks at each task on its own, and a few readings. */
const ALONE = 5;

test('one list tells of all tasks of a node, and each is asked itself once, at its end', async () => {
  const { made, asked, close } = await followed(running => running);
  expect(made).toEqual(Array(TASKS).fill('qmcreate'));
  expect(asked.statuses).toBeLessThanOrEqual(TASKS + 2);
  expect(asked.lists).toBeGreaterThan(0);
  await close();
});

test('a task that is alone on its node is asked itself, and no list is read', async () => {
  const { made, asked, close } = await followed(running => running, 1);
  expect({ made, lists: asked.lists }).toEqual({ made: ['qmcreate'], lists: 0 });
  await close();
});

test.each<[string, List]>([
  ['is empty', () => []],
  ['drops one of them', (running, n) => running.filter((_, index) => index !== n % TASKS)],
  ['is refused', (_, __, response) => void response.writeHead(403, 'Permission check failed').end()],
  ['is no list', (_, __, response) => void answerData(response, { it: 'is none' })],
  ['calls all of them ended', running => running.map(row => ({ ...row, status: 'OK', endtime: 1 }))],
])('nothing is ended by a list that %s', async (_, list) => {
  const { made, asked, close } = await followed(list);
  expect(made).toEqual(Array(TASKS).fill('qmcreate'));
  expect(asked.statuses).toBeLessThanOrEqual(TASKS * ALONE);
  await close();
});

test('a list that is never right is not read again and again', async () => {
  const { asked, close } = await followed(() => []);
  expect(asked.lists).toBeLessThanOrEqual(4);
  await close();
});

test('nothing is waited for because of a list that says for ever that it runs', async () => {
  const all: Row[] = [];
  const { made, close } = await followed(running => {
    all.push(...running.filter(({ upid }) => !all.some(one => one.upid === upid)));
    return all;
  });
  expect(made).toEqual(Array(TASKS).fill('qmcreate'));
  await close();
});

test('a list without an answer keeps nobody', async () => {
  const { made, close } = await followed(() => undefined);
  expect(made).toEqual(Array(TASKS).fill('qmcreate'));
  await close();
});

test('a task is not asked before the shortest of its kind has ended of late', async () => {
  const { asked, again, close } = await followed(running => running);
  const before = asked.statuses;
  await again();
  expect(asked.statuses - before).toBeLessThanOrEqual(3);
  await close();
});
