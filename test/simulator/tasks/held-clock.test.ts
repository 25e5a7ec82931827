import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '../../../simulator';
import { sendRaw } from '../../support/api/raw-client';
import { defaultWorld } from '../../../simulator';
import { ask, authorizationOf } from '../../support/cluster/ask';
import { TOKEN, startCluster } from '../../support/cluster/start-cluster';

const MINUTES = 60_000;
/** So short that each task would be over by itself, if the clock ran. */
const TASK_MS = 5;

type Starting = [type: string, method: string, path: string, form?: Record<string, string>];

// guests of the default world with more guests: those of pve1 run, those of pve2 and pve3 are off
const RUNNING = (n: number): string => `/nodes/pve1/qemu/${10_000 + 3 * n}`;
const OFF = (n: number): string => `/nodes/pve2/qemu/${10_001 + 3 * n}`;

/** What must be there before the clock is held up. */
const BEFORE: Starting[] = [
  ['qmpause', 'POST', `${RUNNING(1)}/status/suspend`],
  ['qmsnapshot', 'POST', `${OFF(1)}/snapshot`, { snapname: 'before' }],
  ['qmsnapshot', 'POST', `${OFF(2)}/snapshot`, { snapname: 'before' }],
];

const STARTINGS: Starting[] = [
  ['qmcreate', 'POST', '/nodes/pve1/qemu', { vmid: '500', scsi0: 'local-lvm:1' }],
  ['qmclone', 'POST', '/nodes/pve1/qemu/9000/clone', { newid: '501' }],
  ['qmresume', 'POST', `${RUNNING(1)}/status/resume`],
  ['qmstop', 'POST', `${RUNNING(2)}/status/stop`],
  ['qmshutdown', 'POST', `${RUNNING(3)}/status/shutdown`, { forceStop: '1' }],
  ['qmreboot', 'POST', `${RUNNING(4)}/status/reboot`],
  ['qmreset', 'POST', `${RUNNING(5)}/status/reset`],
  ['qmpause', 'POST', `${RUNNING(6)}/status/suspend`],
  ['qmsuspend', 'POST', `${RUNNING(7)}/status/suspend`, { todisk: '1' }],
  ['qmigrate', 'POST', `${RUNNING(8)}/migrate`, { target: 'pve2', online: '1', 'with-local-disks': '1' }],
  ['hastop', 'POST', `${RUNNING(9)}/status/stop`],
  ['hamigrate', 'POST', `${RUNNING(10)}/migrate`, { target: 'pve3', online: '1' }],
  ['vncproxy', 'POST', `${RUNNING(11)}/vncproxy`],
  ['qmdelsnapshot', 'DELETE', `${OFF(1)}/snapshot/before`],
  ['qmrollback', 'POST', `${OFF(2)}/snapshot/before/rollback`],
  ['qmdestroy', 'DELETE', OFF(3)],
  ['qmstart', 'POST', `${OFF(4)}/status/start`],
  ['qmtemplate', 'POST', `${OFF(5)}/template`],
  ['qmigrate', 'POST', `${OFF(6)}/migrate`, { target: 'pve3' }],
  ['qmsnapshot', 'POST', `${OFF(7)}/snapshot`, { snapname: 'now' }],
  ['qmmove', 'POST', `${OFF(8)}/move_disk`, { disk: 'scsi0', storage: 'shared' }],
  ['resize', 'PUT', `${OFF(9)}/resize`, { disk: 'scsi0', size: '+1G' }],
  ['qmconfig', 'POST', `${OFF(10)}/config`, { scsi1: 'local-lvm:1' }],
  ['hastart', 'POST', `${OFF(11)}/status/start`],
  ['imgdel', 'DELETE', '/nodes/pve1/storage/shared/content/shared:iso/debian-12.9.0-amd64-netinst.iso'],
  [
    'download',
    'POST',
    '/nodes/pve1/storage/shared/download-url',
    { url: 'https://example.org/x.iso', filename: 'x.iso', content: 'iso' },
  ],
];

let simulator: Simulator;
let upids: string[];

const advance = (ms: number) => ask(simulator, 'POST', '/_sim/clock', { json: { advance: ms } });

async function start([type, method, path, form]: Starting): Promise<string> {
  const { json, reason } = await ask(simulator, method, path, form ? { form } : {});
  const upid: unknown = json?.data?.upid ?? json?.data;
  if (typeof upid !== 'string' || upid.split(':')[5] !== type) throw new Error(`${type} ${path}: ${reason}`);
  return upid;
}

async function upload(): Promise<string> {
  const part = 'Content-Disposition: form-data; name=';
  const body = `--b\r\n${part}"content"\r\n\r\niso\r\n--b\r\n${part}"filename"; filename="a.iso"\r\n\r\nbytes\r\n--b--\r\n`;
  const { text } = await sendRaw(`${simulator.url}/api2/json`, {
    method: 'POST',
    path: '/nodes/pve1/storage/local/upload',
    headers: { authorization: authorizationOf(TOKEN), 'content-type': 'multipart/form-data; boundary=b' },
    body,
  });
  return JSON.parse(text).data;
}

const statusOf = async (upid: string): Promise<Record<string, string>> =>
  (await ask(simulator, 'GET', `/nodes/${upid.split(':')[1]}/tasks/${encodeURIComponent(upid)}/status`)).json
    .data;

/** How all tasks stand, by their types. */
async function standing(): Promise<string[]> {
  const statuses = await Promise.all(upids.map(statusOf));
  return statuses.map(({ type, status, exitstatus }) => `${type} ${exitstatus ?? status}`);
}

beforeAll(async () => {
  simulator = await startCluster({ world: defaultWorld(3, 40), timeScale: 'held', taskMs: TASK_MS });
  simulator.world.downloads = { 'https://example.org/x.iso': { size: 1024 } };
  for (const sid of [`vm:${10_000 + 27}`, `vm:${10_000 + 30}`, `vm:${10_001 + 33}`])
    await ask(simulator, 'POST', '/cluster/ha/resources', { form: { sid, state: 'ignored' } });
  for (const starting of BEFORE) await start(starting);
  await advance(MINUTES);
});
afterAll(() => simulator.close());

it('lets no task end while the clock is held', async () => {
  for (const sid of [`vm:${10_000 + 27}`, `vm:${10_000 + 30}`])
    await ask(simulator, 'PUT', `/cluster/ha/resources/${sid}`, { form: { state: 'started' } });
  await ask(simulator, 'PUT', `/cluster/ha/resources/vm:${10_001 + 33}`, { form: { state: 'stopped' } });
  upids = await Promise.all(STARTINGS.map(start));
  upids.push(await upload());
  await pause(20 * TASK_MS);
  expect(await standing()).toEqual([...STARTINGS.map(([type]) => `${type} running`), 'imgcopy running']);
});

it('ends them all when the clock is moved on', async () => {
  await advance(30 * MINUTES);
  expect(await standing()).toEqual([
    ...STARTINGS.map(([type]) => `${type} ${type === 'vncproxy' ? 'connection timed out' : 'OK'}`),
    'imgcopy OK',
  ]);
  expect(simulator.sim.defects.all()).toEqual([]);
});
