import { connect as connectTo, createServer, type AddressInfo } from 'node:net';
import * as z from 'zod';
import { connect } from '../../../reconciler/pve';
import { newIdentity } from '../../../simulator/wire/certificate';
import { answerData, answeringServer } from '../../support/api/answering-server';
import { pveConfig } from '../../support/reconciler/pve-config';

const stop = {
  method: 'POST',
  path: '/nodes/a/qemu/1/status/stop',
  answer: z.string(),
} as const;

/** A way to a server on which each connection opens only after so long. */
async function slowWayTo(port: number, ms: number) {
  const server = createServer(near => {
    near.pause();
    setTimeout(() => {
      const far = connectTo(port, '127.0.0.1');
      near.pipe(far).pipe(near);
      far.on('error', () => near.destroy());
      near.on('error', () => far.destroy());
      near.on('close', () => far.destroy());
    }, ms);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}

test('a write that is forbidden is not sent, and no new connection is used', async () => {
  const server = await answeringServer((_, response) => answerData(response, 'UPID'));
  const forbid = (): void => {
    throw new Error('forbidden');
  };
  const pve = connect(pveConfig(server.url), { beforeWrite: forbid });
  const read = { ...stop, method: 'GET' } as const;
  await expect(pve.call(stop)).rejects.toThrow('forbidden');
  expect(server.received).toEqual([]);
  // its connection would carry the next write
  await expect(pve.call(read)).rejects.toThrow('forbidden');
  await pve.close();
  await server.close();
});

test('a write that is forbidden while its connection opens is not sent', async () => {
  const identity = newIdentity([]);
  const server = await answeringServer((_, response) => answerData(response, 'UPID'), identity);
  const way = await slowWayTo(Number(new URL(server.url).port), 300);
  const { port } = way.address() as AddressInfo;
  const slow = server.url.replace(/:\d+/, `:${port}`);
  let isForbidden = false;
  const pve = connect(pveConfig(slow, { tls: { insecure: true } }), {
    beforeWrite: () => {
      if (isForbidden) throw new Error('forbidden');
    },
  });
  const asked = pve.call(stop);
  setTimeout(() => (isForbidden = true), 100);
  await expect(asked).rejects.toThrow('forbidden');
  await new Promise(resolve => setTimeout(resolve, 300));
  expect(server.received).toEqual([]);
  await pve.close();
  way.close();
  await server.close();
});
