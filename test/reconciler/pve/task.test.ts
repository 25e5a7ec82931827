import type { PveError } from '../../../reconciler/pve';
import { TaskError, cloneTarget, connect, createGuest } from '../../../reconciler/pve';
import { waitForTask } from '../../../reconciler/pve/api/task';
import { answerData, answeringServer } from '../../support/api/answering-server';
import { pveConfig } from '../../support/reconciler/pve-config';

const UPID = 'UPID:pve2:0001A2B3:123456789:65A0B1C2:qmclone:9000:tester@pve!t1:';

async function waitFor(
  statuses: (Record<string, unknown> | number)[],
  timeoutMs = 5_000,
  unseen?: (error: PveError) => void,
) {
  const server = await answeringServer(({ url }, response) => {
    if (url.includes('/log'))
      return answerData(response, [
        { n: 1, t: 'creating' },
        { n: 2, t: 'TASK ERROR: it failed' },
      ]);
    const next = statuses.length > 1 ? statuses.shift() : statuses[0];
    if (typeof next === 'number') return void response.writeHead(next, 'broken').end();
    return answerData(response, next);
  });
  const pve = connect(pveConfig(server.url));
  try {
    return { end: await waitForTask(pve, UPID, { timeoutMs, unseen }), received: server.received };
  } finally {
    await pve.close();
    await server.close();
  }
}

const running = { status: 'running' };
const ended = (exitstatus: string) => ({ status: 'stopped', exitstatus });

test('asks the node that the task id names, until the end', async () => {
  const { end, received } = await waitFor([running, running, ended('OK')]);
  expect(end).toEqual({ type: 'qmclone', warnings: 0 });
  expect(received.map(({ url }) => url)).toEqual(Array(3).fill(`/api2/json/nodes/pve2/tasks/${UPID}/status`));
});

test.each([
  ['UPID:pve2:1A2B3:0:65A0B1C2:qmclone:9000:tester@pve:', 'qmclone'],
  ['UPID:pve_2.lan:000001A2B3:123456789A:65A0B1C2:qmstart::root@pam', 'qmstart'],
  ['UPID:pve2:0012ABCD:qmcreate:100:root@pam:1700000000:', 'qmcreate'],
  ['UPID:pve2:task-12', 'task-12'],
])('a server that counts its tasks otherwise is waited for too: %s', async (upid, type) => {
  const server = await answeringServer(({ method }, response) =>
    answerData(response, method === 'POST' ? upid : ended('OK')),
  );
  const pve = connect(pveConfig(server.url));
  const end = await createGuest(pve, 'pve2', { vmid: 7 }, { timeoutMs: 5_000 });
  expect(end).toEqual({ type, warnings: 0 });
  await pve.close();
  await server.close();
});

test('warnings are success', async () => {
  expect((await waitFor([ended('WARNINGS: 2')])).end).toEqual({ type: 'qmclone', warnings: 2 });
});

test.each([
  ['well', 'OK', 'OK'],
  ['with warnings', 'WARNINGS: 1', 'WARNINGS: 1'],
])('a server that names the end in place of stopped is understood: %s', async (_, status, exitstatus) => {
  const { end } = await waitFor([{ status: 'running', exitstatus: 'OK' }, running, { status, exitstatus }]);
  expect(end.type).toBe('qmclone');
});

test('a server that says neither that it runs nor how it ended is not understood', async () => {
  await expect(waitFor([{ status: 'done' }])).rejects.toMatchObject({
    kind: 'unreadable',
    message: expect.stringContaining('(data.status: expected running or stopped)') as string,
  });
});

test('an error while looking does not fail the task', async () => {
  expect((await waitFor([500, running, ended('OK')])).end).toEqual({ type: 'qmclone', warnings: 0 });
});

test('a look without an answer is told once, while it is looked again', async () => {
  const told: string[] = [];
  const statuses = [500, 500, running, 500, ended('OK')];
  await waitFor(statuses, 5_000, ({ said }) => told.push(said));
  expect(told).toEqual([expect.stringContaining(`/tasks/${UPID}/status: 500 broken.`)]);
});

test.each([
  ['a failure of its own', 'command failed', 'failed'],
  [
    'an id that another node took',
    "close (rename) atomic file '/etc/pve/nodes/pve1/qemu-server/300.conf' failed: File exists",
    'already-exists',
  ],
  ['a lock', "can't lock file '/var/lock/qemu-server/lock-9000.conf' - got timeout", 'locked'],
  ['a worker that died', 'unexpected status', 'unknown-outcome'],
])('%s', async (_, exitstatus, kind) => {
  const failure = await waitFor([ended(exitstatus)]).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TaskError);
  expect(failure).toMatchObject({
    kind,
    task: { upid: UPID, node: 'pve2', exitStatus: exitstatus, log: ['creating', 'TASK ERROR: it failed'] },
  });
});

test('the cause stands once: not in the log, too, when it is how the task ended', async () => {
  const failure = await waitFor([ended('it failed')]).catch((error: unknown) => error);
  expect(failure).toMatchObject({ task: { exitStatus: 'it failed', log: ['creating'] } });
});

test('a secret that a task repeats is masked in its end and in its log', async () => {
  const server = await answeringServer(({ url }, response) => {
    if (url.includes('/log')) return answerData(response, [{ n: 1, t: 'with --cipassword top-secret' }]);
    if (url.includes('/tasks/')) return answerData(response, ended('refused: top-secret'));
    return answerData(response, UPID);
  });
  const pve = connect(pveConfig(server.url));
  const made = createGuest(pve, 'pve2', { vmid: 1, cipassword: 'top-secret' }, { timeoutMs: 5_000 });
  const failure = await made.catch((error: unknown) => error);
  await pve.close();
  await server.close();
  expect(failure).toMatchObject({
    task: { exitStatus: 'refused: (secret)', log: ['with --cipassword (secret)'] },
  });
  expect(String(failure)).not.toContain('top-secret');
});

test.each([404, 501])('a server that tells of no task (%i) is not asked until the deadline', async status => {
  await expect(waitFor([status])).rejects.toMatchObject({
    kind: 'unknown-outcome',
    message: expect.stringContaining('does not tell whether the task has ended') as string,
  });
});

test.each([404, 501])('one %i of a proxy tells nothing of a task', async status => {
  const { end } = await waitFor([status, status, running, status, status, ended('OK')]);
  expect(end).toEqual({ type: 'qmclone', warnings: 0 });
});

test('a task that is listed without its id tells nothing of the guest that it makes', async () => {
  const server = await answeringServer((_, response) => answerData(response, []));
  const pve = connect(pveConfig(server.url));
  expect(await cloneTarget(pve, '1004')).toBeUndefined();
  await pve.close();
  await server.close();
});

test('gives up looking at the deadline, and says that the task goes on', async () => {
  await expect(waitFor([running], 60)).rejects.toMatchObject({ kind: 'unknown-outcome' });
});
