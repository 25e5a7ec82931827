import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubernetesClient } from '../../../reconciler/kubernetes/api/client';
import { OwnName } from '../../../reconciler/kubernetes/own-name';

test('an API server that never tells the uid is told of after some tries; one that does then is believed', async () => {
  let answer: [status: number, body: object] = [500, { kind: 'Status', message: 'no luck' }];
  const server = createServer((_, response) => {
    response.writeHead(answer[0], { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer[1]));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new KubernetesClient({ server: `http://127.0.0.1:${port}`, token: () => undefined });
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_001));
  try {
    const name = new OwnName(client, undefined);
    for (let tries = 1; tries < 10; tries += 1) expect(await name.read()).toBeUndefined();
    await expect(name.read()).rejects.toThrow(/no luck.*--source/);
    answer = [200, { metadata: { name: 'kube-system' } }];
    await expect(name.read()).rejects.toThrow('has no uid');
    answer = [200, { metadata: { uid: 'u1' } }];
    expect(await name.read()).toBe('kubernetes:u1');
  } finally {
    clock.mockRestore();
    client.close();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
});
