import { ApiError } from '../../../reconciler/kubernetes/api/api-error';
import type { KubernetesClient } from '../../../reconciler/kubernetes/api/client';
import { SecretReader } from '../../../reconciler/kubernetes/resources/secret-reader';
import { Store } from '../../../reconciler/kubernetes/resources/store';
import { until } from '../../support/daemon/daemon-lab';

/** A server of one answer for each request, whatever it is asked. */
const answering = (json: (path: string) => object): KubernetesClient =>
  ({
    json: (path: string) => new Promise(resolve => resolve(json(path))),
    async *lines() {
      throw new ApiError(404, 'there is no such kind', 'GET /');
    },
  }) as unknown as KubernetesClient;

const items = [{ metadata: { uid: 'u', name: 'web', namespace: 'team-a', resourceVersion: '1' } }];

test('a kind that is not defined any more keeps what was read of it', async () => {
  const stop = new AbortController();
  let troubles = 0;
  const store = new Store(
    () => undefined,
    () => (troubles += 1),
  );
  const running = store.run(
    answering(() => ({ metadata: { resourceVersion: '5' }, items })),
    undefined,
    stop.signal,
  );
  await until(
    () => troubles,
    seen => seen > 0,
  );
  expect(store.isRead).toBe(true);
  expect(store.all().map(({ name }) => name)).toContain('web');
  expect(store.troubles.map(({ error }) => error.status)).toContain(404);
  stop.abort();
  await running;
});

test('one whose status finds it gone is news, also where the next list does not have it any more', async () => {
  const stop = new AbortController();
  const told: string[] = [];
  let isThere = true;
  const store = new Store(
    changed => told.push(...changed.map(({ name }) => name)),
    () => undefined,
  );
  const running = store.run(
    answering(() => ({ metadata: { resourceVersion: '5' }, items: isThere ? items : [] })),
    undefined,
    stop.signal,
  );
  await until(
    () => store.isRead,
    seen => seen,
  );
  const [web] = store.all();
  told.length = 0;
  isThere = false;
  store.drop(web!);
  expect(told).toEqual(['web']);
  stop.abort();
  await running;
});

test.each([0, 403, 500])(
  'a Secret that is asked for anew, with the answer %s, stays as it was read',
  async status => {
    let isAway = false;
    const secrets = new SecretReader(
      answering(() => {
        if (isAway) throw new ApiError(status, 'no', 'GET /');
        return { data: { key: 'eA==' } };
      }),
    );
    expect(await secrets.of('team-a', 'access')).toEqual(new Map([['key', 'x']]));
    isAway = true;
    secrets.forget([{ namespace: 'team-a', name: 'access' }]);
    expect(await secrets.of('team-a', 'access')).toEqual(new Map([['key', 'x']]));
    expect(secrets.isLacking).toBe(true);
    isAway = false;
    expect(await secrets.readAgain('lacking')).toBe(false);
    expect(secrets.isLacking).toBe(false);
  },
);
