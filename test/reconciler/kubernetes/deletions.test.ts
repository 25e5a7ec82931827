import { setMaxListeners } from 'node:events';
import { Deletions } from '../../../reconciler/kubernetes/deletions';
import { NOTHING_MATCHED } from '../../../reconciler/kubernetes/matched';
import { Finalizers } from '../../../reconciler/kubernetes/resources/finalizers';
import { Store } from '../../../reconciler/kubernetes/resources/store';
import { EventWriter } from '../../../reconciler/kubernetes/status/event-writer';
import { StatusWriter } from '../../../reconciler/kubernetes/status/status-writer';
import { until } from '../../support/daemon/daemon-lab';
import { resource, type Json } from '../../support/kubernetes/judged';
import { smallServer, type Answer, type Asked } from '../../support/kubernetes/small-server';

const MACHINE = '/apis/vitistack.io/v1alpha1/namespaces/team-a/machines/web';
const DEFINITION = 'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/machines.vitistack.io';
const ok = (body: object): Answer => ({ status: 200, body });
const no = (status: number, message: string): Answer => ({ status, body: { message } });
const FORBIDDEN = no(403, 'machines.vitistack.io "web" is forbidden: User "daemon" cannot patch resource');

/** A deleted machine in a small Kubernetes. `answers`: what is answered otherwise than all well, by request. */
async function deletedMachine(answers: Record<string, Answer>) {
  const deletionTimestamp = '2026-05-02T10:00:00Z';
  const web = resource(
    'Machine',
    'web',
    { cluster: 'lab' },
    { deletionTimestamp, finalizers: ['pve-reconciler/guest'] },
  );
  const answerTo = ({ line, body }: Asked): Answer => {
    const given = answers[line];
    if (given !== undefined) return given;
    if (line === DEFINITION) return ok({ metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } });
    if (line.startsWith(`PUT ${MACHINE}/status`)) return ok(body);
    if (line.includes(MACHINE)) return ok(web.json);
    if (line.startsWith('POST')) return ok(body);
    if (line.includes('/machines?limit')) return ok({ kind: 'MachineList', items: [web.json] });
    return line.includes('?limit') ? ok({ kind: 'List', items: [] }) : no(404, 'not found');
  };
  const { requests, client, close } = await smallServer(answerTo);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const store = new Store(
    () => undefined,
    () => undefined,
  );
  const running = store.run(client, undefined, stop.signal);
  await until(
    () => store.isRead,
    seen => seen,
  );
  const tell = (): void => undefined;
  const deletions = new Deletions(
    store,
    new StatusWriter(client, store, stop.signal, tell),
    new EventWriter(client, tell),
    new Finalizers(client, store),
    tell,
  );
  const deleted = { resource: web, cluster: 'lab', proxmox: undefined, retains: false, why: undefined };
  deletions.match({ ...NOTHING_MATCHED, deleted: [deleted] });
  return {
    removal: deletions.removals('lab')[0]!,
    requests,
    /** The condition that is written at last. */
    condition: () =>
      until(
        () => requests.filter(({ line }) => line.startsWith('PUT')).at(-1)?.body as Written | undefined,
        seen => seen !== undefined,
      ).then(written => written!.status.conditions[0]!),
    close: async (): Promise<void> => {
      stop.abort();
      await running;
      await close();
    },
  };
}
interface Written {
  status: { conditions: Json[] };
}

const DRY_RUN = `PATCH ${MACHINE}?dryRun=All`;

test.each<[what: string, answers: Record<string, Answer>]>([
  ['all is well', {}],
  ['a webhook knows no dry run', { [DRY_RUN]: no(400, 'webhook does not support dry run') }],
])('it may go where %s, and nothing is taken off before', async (_, answers) => {
  const { removal, requests, close } = await deletedMachine(answers);
  expect(await removal.isStillAsked()).toBe(true);
  expect(requests.filter(({ line }) => line.startsWith('PATCH')).map(({ line }) => line)).toEqual([DRY_RUN]);
  await close();
});

test.each<[what: string, answer: Answer]>([
  ['somebody let go of it just now', no(404, 'not found')],
  ['it is another one, or was written just now', no(409, 'the object has been modified')],
])('it is looked at anew where %s', async (_, answer) => {
  const { removal, close } = await deletedMachine({ [DRY_RUN]: answer });
  expect(await removal.isStillAsked()).toBe(false);
  await close();
});

test.each<[what: string, answers: Record<string, Answer>, said: RegExp]>([
  [
    'it could not be let go of',
    { [DRY_RUN]: FORBIDDEN },
    /^Nothing is done to its guest: .*cannot patch resource.* Give the daemon's role the verb patch on machines\.vitistack\.io\.$/,
  ],
  [
    'a policy forbids it',
    { [DRY_RUN]: no(422, 'denied: web stays') },
    /^Nothing is done to its guest: .*web stays/,
  ],
  [
    'its definition is not there',
    { [DEFINITION]: no(404, 'not found') },
    /^Nothing is destroyed: machines\.vitistack\.io: .* There is no definition of it: pve-reconciler schema crds/,
  ],
  [
    'Kubernetes has no time',
    { [DEFINITION]: no(503, 'overloaded') },
    /^Nothing is destroyed: .*503: overloaded\. It is tried again\.$/,
  ],
])('it stays where %s, in words and without a stack', async (_, answers, said) => {
  const { removal, close } = await deletedMachine(answers);
  await expect(removal.isStillAsked()).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringMatching(said) as string,
  });
  await close();
});

test('where only its resource is left, the condition says so, and stays', async () => {
  const { removal, requests, condition, close } = await deletedMachine({
    [`PATCH ${MACHINE}`]: FORBIDDEN,
    [DRY_RUN]: FORBIDDEN,
  });
  await removal.ended({ kind: 'gone', isFound: true });
  expect(await condition()).toMatchObject({
    ...{ type: 'Ready', status: 'False', reason: 'NotLetGo' },
    message: expect.stringMatching(
      /^Its guest is gone\. Only this resource is left: .* Give the daemon's role the verb patch on machines\.vitistack\.io\./,
    ) as string,
  });
  await close();
  expect(requests.some(({ body }) => body['reason'] === 'Destroyed')).toBe(true);
});
