import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { CallCount, callLines } from '../../../reconciler/report/call-count';
import { CALL_REASONS, routeOf } from '../../../reconciler/report/call-reasons';
import { runLine, Live } from '../walk/live';

it.each([
  ['GET', '/nodes/pve%2D1/qemu/100/pending', 'GET /nodes/{node}/qemu/{vmid}/pending'],
  ['GET', '/nodes/a/tasks?source=active&limit=500', 'GET /nodes/{node}/tasks'],
  ['GET', '/nodes/a/tasks/UPID%3Aa%3A1/status', 'GET /nodes/{node}/tasks/{upid}/status'],
  ['DELETE', '/nodes/a/qemu/100?purge=1', 'DELETE /nodes/{node}/qemu/{vmid}'],
  [
    'GET',
    '/nodes/a/qemu/100/snapshot/qemu/config',
    'GET /nodes/{node}/qemu/{vmid}/snapshot/{snapname}/config',
  ],
  ['PUT', '/cluster/ha/resources/vm%3A100', 'PUT /cluster/ha/resources/{sid}'],
  ['GET', '/nodes/storage/storage/local/content', 'GET /nodes/{node}/storage/{storage}/content'],
])('names %s %s as the table does', (method, given, pattern) => {
  expect(`${method} ${routeOf(given)}`).toBe(pattern);
  expect(CALL_REASONS).toHaveProperty([pattern]);
});

it('tells how often each request was made, and why', () => {
  const count = new CallCount();
  const pending = { method: 'GET', path: '/nodes/a/qemu/100/pending' };
  [pending, pending, { method: 'GET', path: '/version' }].forEach(count.note);
  expect(callLines(count)).toMatch(
    /^3 requests to Proxmox:\n +2 {2}GET .*pending +the config.*\n +1 {2}GET \/version /,
  );
});

it('gives a reason for each request that the simulator sees, and counts as it does', async () => {
  await Live.with(async live => {
    const state = {
      ...{ version: 1, owner: 'team', cluster: { name: 'lab' } },
      machines: [{ id: 'web', image: { template: 'ubuntu-22.04' }, networks: [{ name: 'lan' }] }],
    };
    live.simulator.ledger.reset();
    const line = ['reconcile', '--spec', '-', '--explain-calls', '--json', '--quiet'];
    const { said } = await runLine(line, live.access, JSON.stringify(state));
    const last = said.trim().split('\n').at(-1) ?? '';
    const { calls } = JSON.parse(last) as {
      calls: { method: string; path: string; times: number; why: string }[];
    };
    const seen = Object.entries(live.simulator.ledger.byRoute()).map(([route, { requests }]) => [
      route,
      requests,
    ]);
    expect(
      Object.fromEntries(calls.map(({ method, path: at, times }) => [`${method} ${at}`, times])),
    ).toEqual(Object.fromEntries(seen));
    expect(calls.filter(({ why }) => why === 'no reason is known')).toEqual([]);
  });
});

it('has a reason for each path of the client', () => {
  const folder = path.join(__dirname, '../../../reconciler/pve/api');
  const ends = readdirSync(folder).flatMap(file => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    return [...text.matchAll(/(?:\$\{\w+\([^`]*?\)\}|guestWork\(\s*['`])(\/[a-z_/-]+)/g)].map(
      ([, end]) => end ?? '',
    );
  });
  const patterns = Object.keys(CALL_REASONS).join('\n');
  expect(ends.length).toBeGreaterThan(25);
  expect(ends.filter(end => !patterns.includes(end))).toEqual([]);
});
