import { setTimeout as sleep } from 'node:timers/promises';
import type { CliLab, Running } from '../../support/processes/cli';
import { cliLab, desiredText, start } from '../../support/processes/cli';
import { openGate } from '../../support/api/gate';
import { blankMachine as web } from '../../support/runs/blank-machine';

/** Longer than a lost read is tried again. */
const AWAY_MS = 6_000;

let lab: CliLab;
let gate: Awaited<ReturnType<typeof openGate>>;
beforeEach(async () => {
  lab = await cliLab({ taskMs: 300 });
  gate = await openGate(lab.simulator.url);
});
afterEach(async () => {
  await gate.close();
  await lab.close();
});

const access = (): Record<string, string> => ({ ...lab.access, PVE_ENDPOINT: gate.url });
const wire = (): Record<string, string> => ({
  ...access(),
  PROXMOX_PROTOCOL: '1',
  PROXMOX_CLUSTER: JSON.stringify({ name: 'lab' }),
  PROXMOX_OWNER: 'team/lab',
  PROXMOX_MACHINE: 'web',
  PROXMOX_ENTRY: 'e1',
  PROXMOX_TOKEN: '',
});

/** Resolves at the first write of a program, or where it ends without one. */
async function hasWritten(child: Running['child']): Promise<void> {
  const isWrite = ({ method }: { method: string }): boolean => method !== 'GET';
  while (child.exitCode === null && !lab.simulator.ledger.entries().some(isWrite)) await sleep(10);
}

/** The endpoint refuses connections from the first write of a program on. */
async function restartedDuring({ child, ended }: Running) {
  await hasWritten(child);
  await gate.close();
  await sleep(AWAY_MS);
  await gate.open();
  return ended;
}

const LINE = /waits for Proxmox since \S+, at most 30s: /g;

test('reconcile waits for it, with one line', async () => {
  const ran = await restartedDuring(start(['reconcile', '--spec', '-'], access(), desiredText([web])));
  expect({ code: ran.code, lines: ran.stderr.match(LINE)?.length }).toEqual({ code: 0, lines: 1 });
  expect(lab.guests('web')).toHaveLength(1);
});

test.each([{}, { PVE_RUN: 'alone' }])('apply and destroy of Terraform wait for it: %j', async mode => {
  const env = { ...wire(), ...mode };
  const spec = JSON.stringify(web);
  const applied = await restartedDuring(start(['apply'], { ...env, PROXMOX_SPEC: spec }));
  expect({ code: applied.code, lines: applied.stderr.match(LINE)?.length }).toEqual({ code: 0, lines: 1 });
  await gate.close();
  const destroying = start(['destroy'], env);
  await destroying.said('waits for Proxmox since ');
  expect(lab.guests('web')).toHaveLength(1);
  await gate.open();
  expect((await destroying.ended).code).toBe(0);
  expect(lab.guests('web')).toEqual([]);
});

test('a run that begins then says soon who does not answer', async () => {
  await gate.close();
  const ran = await start(['plan', '--spec', '-'], access(), desiredText([web])).ended;
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('the connection was refused, nothing listens there');
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the wait', async name => {
  const running = start(['reconcile', '--spec', '-'], access(), desiredText([web]));
  await hasWritten(running.child);
  await gate.close();
  await running.said('waits for Proxmox since ');
  running.child.kill(name);
  expect((await running.ended).code).toBe(name === 'SIGINT' ? 130 : 143);
});
