import { brokenInvariants } from '../../../simulator/invariants/broken';
import type { Administrator } from '../../../simulator/administrators/administrator';
import type { WorldEvent } from '../../../simulator/events/event';
import { applyEvent } from '../../../simulator/events/apply';
import type { Simulator } from '../../../simulator';
import { sendRaw } from '../../support/api/raw-client';
import { startCluster, TOKEN } from '../../support/cluster/start-cluster';
import type { Roll } from '../../support/random/dice';
import { dice } from '../../support/random/dice';

/** A day by seed: others work, each minute something goes wrong, and a client asks meanwhile. DAY_MINUTES=1440 is a whole one. */

const MINUTES = Number(process.env['DAY_MINUTES'] ?? 60);
const AT_ONCE = 6;

const ADMINISTRATORS: Administrator[] = [
  {
    user: 'root@pam',
    everyMs: 45_000,
    does: [
      { method: 'PUT', path: '/nodes/{node}/qemu/{vmid}/config', params: { description: 'change {n}' } },
      { method: 'POST', path: '/nodes/{node}/qemu/{vmid}/snapshot', params: { snapname: 's{n}' } },
      { method: 'POST', path: '/nodes/{node}/qemu/{vmid}/status/start', params: {} },
      { method: 'POST', path: '/nodes/{node}/qemu/{vmid}/status/stop', params: {} },
      {
        method: 'POST',
        path: '/nodes/pve1/qemu',
        params: { vmid: '3{n}', scsi0: 'local-lvm:1', start: '1' },
      },
      { method: 'DELETE', path: '/nodes/{node}/qemu/{vmid}', params: {} },
    ],
  },
  {
    user: 'root@pam!full',
    everyMs: 200_000,
    does: [{ method: 'GET', path: '/nodes/{node}/qemu/{vmid}/config', params: {} }],
  },
];

const READS = [
  '/cluster/resources',
  '/cluster/tasks',
  '/nodes',
  '/nodes/pve2/qemu',
  '/cluster/ha/status/current',
  '/access/acl',
];

interface Asked {
  method: string;
  path: string;
}

function request(roll: Roll, minute: number): Asked & { body?: string } {
  const vmid = 500 + roll(20);
  const node = `pve${1 + roll(3)}`;
  const guest = `/nodes/${node}/qemu/${vmid}`;
  const choices: (Asked & { body?: string })[] = [
    { method: 'GET', path: READS[roll(READS.length)]! },
    {
      method: 'POST',
      path: `/nodes/${node}/qemu`,
      body: `vmid=${vmid}&name=m${minute}&net0=virtio,bridge=vmbr0&scsi0=local-lvm:2`,
    },
    { method: 'POST', path: `${guest}/status/start` },
    { method: 'PUT', path: `${guest}/config`, body: `cores=${1 + roll(4)}` },
    { method: 'GET', path: `${guest}/status/current` },
    { method: 'DELETE', path: guest },
  ];
  return choices[roll(choices.length)]!;
}

function incident(roll: Roll): WorldEvent {
  const node = `pve${2 + roll(2)}`;
  const all: WorldEvent[] = [
    { kind: 'node', action: 'node-down', node },
    { kind: 'node', action: 'node-up', node },
    { kind: 'node', action: 'api-down', node },
    { kind: 'node', action: 'api-up', node },
    { kind: 'quorum', quorate: false },
    { kind: 'quorum', quorate: true },
    { kind: 'lock', vmid: 100, lock: 'backup' },
    { kind: 'lock', vmid: 100, lock: '' },
    { kind: 'edit', vmid: 100, set: { memory: String(512 + roll(512)) }, delete: [] },
  ];
  return all[roll(all.length)]!;
}

async function send({ url }: Simulator, { method, path, body }: Asked & { body?: string }): Promise<string> {
  const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const headers = { authorization: `PVEAPIToken=${TOKEN.id}=${TOKEN.secret}`, ...type };
  const answer = await sendRaw(`${url}/api2/json`, {
    method,
    path,
    headers,
    ...(body === undefined ? {} : { body }),
  }).catch((error: Error) => ({ status: 0, reason: error.message, text: '' }));
  return `${method} ${path} ${answer.status} ${answer.reason} ${answer.text}`;
}

/** All that was asked and answered, by the client and by others; `atOnce`: requests that were sent together. */
async function day(seed: number, minutes: number, atOnce: number) {
  const administrators = ADMINISTRATORS;
  const simulator = await startCluster({
    seed,
    timeScale: 'held',
    taskMs: 'by kind',
    administrators,
    lagMs: 10_000,
  });
  const { sim, ledger } = simulator;
  const roll = dice(seed);
  const answers: string[] = [];
  try {
    for (let minute = 0; minute < minutes; minute += 1) {
      const event = incident(roll);
      if (event.kind !== 'edit' && event.kind !== 'lock') applyEvent(sim, event);
      else if (sim.world.guests[100]) applyEvent(sim, event);
      for (let each = 0; each < 4; each += 1) answers.push(await send(simulator, request(roll, minute)));
      const together = Array.from({ length: atOnce }, () => request(roll, minute));
      answers.push(...(await Promise.all(together.map(each => send(simulator, each)))));
      await sim.clock.advance(60_000);
      expect([...brokenInvariants(sim), ...sim.defects.all()]).toEqual([]);
    }
    const requests = ledger
      .entries()
      .map(({ at, method, path, user, status, reason }) =>
        [at, method, path, user, status, reason].join(' '),
      );
    return { answers, requests, world: JSON.stringify(sim.world) };
  } finally {
    await simulator.close();
  }
}

test('the same seed gives the same day, request for request and answer for answer', async () => {
  const first = await day(11, MINUTES, 0);
  const second = await day(11, MINUTES, 0);
  expect(first.requests.length).toBeGreaterThan(MINUTES * 5);
  expect(second.requests).toEqual(first.requests);
  expect(second.answers).toEqual(first.answers);
  expect(second.world).toBe(first.world);
  const other = await day(12, 10, 0);
  expect(other.requests).not.toEqual(first.requests.slice(0, other.requests.length));
}, 300_000);

test('what is sent at once may arrive in another order: the others act at the same moments, and nothing breaks', async () => {
  const [first, second] = [await day(13, 20, AT_ONCE), await day(13, 20, AT_ONCE)];
  const moments = ({ requests }: Awaited<ReturnType<typeof day>>): string[] =>
    requests
      .filter(each => each.includes(' root@pam 2') || each.includes(' root@pam 5'))
      .map(each => each.split(' ')[0]!);
  expect(moments(second)).toEqual(moments(first));
}, 300_000);
