import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubernetesClient } from '../../../reconciler/kubernetes/api/client';
import { KubernetesLease } from '../../../reconciler/lease/kubernetes-lease';

/** An API server that keeps one Lease. `losesNext`: it takes the next write, and its answer never arrives. */
function leaseServer(spec: object | undefined) {
  let lease: Record<string, unknown> | undefined = spec && { metadata: { resourceVersion: '1' }, spec };
  const world = { losesNext: false, writes: 0 };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.method !== 'GET') {
        world.writes += 1;
        lease = { ...JSON.parse(text), metadata: { resourceVersion: String(world.writes + 1) } };
        if (world.losesNext) {
          world.losesNext = false;
          return void request.socket.destroy();
        }
      }
      response.statusCode = lease === undefined ? 404 : 200;
      response.end(JSON.stringify(lease ?? { message: 'not found' }));
    });
  });
  return { server, world };
}

const signal = new AbortController().signal;
const GOOD_MS = 600;
let server: Server;
let client: KubernetesClient;
afterEach(() => {
  client.close();
  server.close();
});

async function leaseIn(spec: object | undefined) {
  const started = leaseServer(spec);
  server = started.server;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  client = new KubernetesClient({ server: `http://127.0.0.1:${port}`, token: () => undefined });
  const lease = new KubernetesLease(client, 'team-a', 'pve-reconciler');
  Object.assign(lease, { times: { renewMs: 50, goodMs: GOOD_MS, freeMs: 10_000 } });
  return { lease, world: started.world };
}

test.each<[what: string, spec: object | undefined, waits: boolean]>([
  ['was deleted by hand', undefined, true],
  ['was emptied by hand', { holderIdentity: '' }, true],
  ['was given back', { holderIdentity: '', leaseDurationSeconds: 1 }, false],
])(
  'a Lease that %s: the answer to the take is lost, and whoever asks again waits as long',
  async (...row) => {
    const [, spec, waits] = row;
    const { lease, world } = await leaseIn(spec);
    world.losesNext = true;
    const from = performance.now();
    await expect(lease.take(signal)).rejects.toThrow();
    expect(await lease.take(signal)).toBeUndefined();
    const took = performance.now() - from;
    expect(took >= GOOD_MS).toBe(waits);
  },
);

test('while it waits after a lost answer, it renews: nobody else finds it silent', async () => {
  const { lease, world } = await leaseIn(undefined);
  world.losesNext = true;
  await expect(lease.take(signal)).rejects.toThrow();
  await lease.take(signal);
  expect(world.writes).toBeGreaterThan(4);
});
