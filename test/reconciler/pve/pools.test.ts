import { connect, joinPool, leavePool } from '../../../reconciler/pve';
import { answeringServer } from '../../support/api/answering-server';
import { pveConfig } from '../../support/reconciler/pve-config';

/** What a PUT of pools that is answered so ends with. */
async function answered(text: string, work: typeof joinPool): Promise<string> {
  const server = await answeringServer((_, response) => {
    response.writeHead(500, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: null, message: `${text}\n` }));
  });
  const pve = connect(pveConfig(server.url));
  try {
    return await work(pve, 'prod', 310).then(() => 'done', String);
  } finally {
    await pve.close();
    await server.close();
  }
}

// recording g1
test.each([
  ['a guest that is in the pool already', joinPool, 'update pools failed: VM 310 is already a pool member'],
  ['a guest that is not in the pool', leavePool, 'update pools failed: VM 310 is not a pool member'],
])('%s is where it is wanted', async (_, work, text) => {
  expect(await answered(text, work)).toBe('done');
});

test('every other refusal stands', async () => {
  const text = "update pools failed: VM 310 belongs already to pool 'gp1' and 'allow-move' is not set";
  expect(await answered(text, joinPool)).toContain(text);
});
