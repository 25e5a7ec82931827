/**
 * A lock and a lost quorum that stay for five minutes of real time, with the pauses that a user has:
 * `npx tsx test/campaign/lasting-lock.ts [SECONDS]`. Prints what each run asked, wrote and said
 * meanwhile, and how it ended once the way was free. Needs `npm run build`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { applyEvent } from '../../simulator/events/apply';
import type { WorldEvent } from '../../simulator/events/event';
import { cliLab, desiredText, start } from '../support/processes/cli';

const web = { id: 'web', node: 'pve1', image: { blank: true }, power: 'stopped', memory: '1Gi' };
const [MOST_REQUESTS, MOST_LINES] = [60, 3];
const lock = (text: string): WorldEvent => ({ kind: 'lock', vmid: 10_000, lock: text });
const quorum = (quorate: boolean): WorldEvent => ({ kind: 'quorum', quorate });

async function stays(name: string, begin: WorldEvent, end: WorldEvent, ms: number): Promise<boolean> {
  const lab = await cliLab();
  const made = await lab.people('reconcile', [web]);
  applyEvent(lab.simulator.sim, begin);
  lab.simulator.ledger.reset();
  const { PVE_TASK_POLL_INTERVAL: _, ...access } = lab.access;
  const input = desiredText([{ ...web, memory: '2Gi' }]);
  const running = start(['reconcile', '--spec', '-'], access, input);
  let said = '';
  running.child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await sleep(ms);
  const asked = lab.simulator.ledger.entries();
  const writes = asked.filter(({ write }) => write).length;
  const lines = said.split('\n').filter(line => line !== '').length;
  applyEvent(lab.simulator.sim, end);
  const { code, stderr } = await running.ended;
  await lab.close();
  console.log(
    `${name}, ${ms / 1000} s: ${asked.length} requests, ${writes} writes, ${lines} lines; then exit ${code}`,
  );
  console.log(stderr.replace(/^/gm, '  '));
  const isGood = asked.length <= MOST_REQUESTS && writes === 0 && lines <= MOST_LINES && code === 0;
  return made.code === 0 && isGood;
}

async function main(): Promise<void> {
  const ms = Number(process.argv[2] ?? 300) * 1000;
  const results = await Promise.all([
    stays('a lock', lock('backup'), lock(''), ms),
    stays('no quorum', quorum(false), quorum(true), ms),
  ]);
  process.exitCode = results.every(Boolean) ? 0 : 1;
}

void main();
