import type { ServerResponse } from 'node:http';
import { connect } from '../../../reconciler/pve';
import { follow } from '../../../reconciler/pve/api/tell-task-percent';
import { waitUntil } from '../../../reconciler/pve/api/wait-until';
import { eager } from '../../../reconciler/pve/http/pauses';
import { answerData, answeringServer } from '../../support/api/answering-server';
import { pveConfig } from '../../support/reconciler/pve-config';

const upid = 'UPID:pve2:0001A2B3:123456789:65A0B1C2:qmclone:9000:tester@pve!t1:';
const turn = (): Promise<void> => new Promise(setImmediate);

/** A copy that is followed; its log answers when the test says so. */
async function followed() {
  const asked: ServerResponse[] = [];
  const told: number[] = [];
  const server = await answeringServer((_, response) => void asked.push(response));
  const pve = connect(pveConfig(server.url));
  const following = follow(pve, upid, percent => told.push(percent));
  if (!following) throw new Error('nobody follows it');
  const reads = async (count: number): Promise<void> => {
    while (asked.length < count) await turn();
  };
  const answers = (percent: number): void =>
    answerData(asked.at(-1)!, [{ n: 1, t: `transferred 1.0 GiB of 9.0 GiB (${percent}.00%)` }]);
  const close = async (): Promise<void> => {
    await pve.close();
    await server.close();
  };
  return { ...{ asked, told, following, reads, answers, close } };
}

test('a log is read from the second second on, and then once in two', async () => {
  const { asked, told, following, reads, answers, close } = await followed();
  following.looked(1_999);
  following.looked(2_000);
  await reads(1);
  answers(10);
  while (told.length === 0) await turn();
  await turn();
  following.looked(3_999);
  following.looked(4_000);
  await reads(2);
  expect({ asked: asked.length, told }).toEqual({ asked: 2, told: [10] });
  await close();
});

test('a log without an answer delays no look, is asked for once at a time, and not after the wait', async () => {
  const { asked, told, following, reads, answers, close } = await followed();
  let looks = 0;
  const pausing = (): void => following.looked(looks * 10_000);
  const wait = { pauses: eager({ floorMs: 1, ceilingMs: 1 }), until: Infinity, pausing };
  expect(await waitUntil(() => Promise.resolve(++looks === 5 || undefined), wait)).toBe(true);
  await reads(1);
  following.end();
  answers(50);
  pausing();
  await turn();
  expect({ asked: asked.length, told }).toEqual({ asked: 1, told: [] });
  await close();
});
