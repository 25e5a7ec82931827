import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '../../../simulator';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import type { Random } from '../../../simulator/random';
import { seededRandom } from '../../../simulator/random';
import { garbage } from '../../support/random/requests';
import { pick } from '../../support/random/values';
import type { RawConnection } from '../../support/api/raw-connection';
import { connectPlain, connectSecure } from '../../support/api/raw-connection';
import { ask, authorizationOf } from '../../support/cluster/ask';
import { TOKEN, startCluster } from '../../support/cluster/start-cluster';
import { TIMES } from '../../support/random/tries';

/** The gate plays one seed, so that it is red only for a change; FUZZ_SEED plays another. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const CONNECTIONS = 200 * TIMES;
const AT_ONCE = 8;

let simulator: Simulator;

beforeAll(async () => (simulator = await startCluster({ seed: SEED })));
afterAll(() => simulator.close());

const LINES = [
  'GET /api2/json/version HTTP/1.1',
  'GET /api2/json/cluster/resources HTTP/1.0',
  'POST /api2/json/nodes/pve1/qemu HTTP/1.1',
  'PUT /api2/json/nodes/pve1/qemu/9000/config HTTP/1.1',
  'POST /api2/json/nodes/pve1/storage/local/upload HTTP/1.1',
  'DELETE /api2/json/nodes/pve1/qemu/4711 HTTP/1.1',
  'GET /_sim/state HTTP/1.1',
  'POST /_sim/event HTTP/1.1',
  'GET http://[/api2 HTTP/1.1',
  'GET /api2/json/%ff%00%zz/../.. HTTP/1.1',
  'BREW /api2/json HTCPCP/1.0',
  'GET /',
];

const HEADERS = [
  `Authorization: ${authorizationOf(TOKEN)}`,
  `Authorization: ${authorizationOf(TOKEN)}`,
  'Content-Length: 5',
  'Content-Length: -5',
  'Content-Length: 1e9',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Content-Type: application/json',
  'Content-Type: multipart/form-data; boundary=(*+',
  'Content-Type: multipart/form-data; boundary="',
  'Cookie: PVEAuthCookie=%',
  'Cookie: PVEAuthCookie=PVE:root@pam:00000000::x',
  'Expect: 100-continue',
  'Connection: close',
  'Accept-Encoding: gzip',
  ' folded',
  ': nameless',
  `X: ${'x'.repeat(9000)}`,
];

/** A request in bytes: cut, flipped and spliced here and there. */
function bytes(random: Random): Buffer {
  if (random.below(4) === 0) return garbage(random, 2000);
  const headers = Array.from({ length: random.below(6) }, () => pick(random, HEADERS));
  const end = pick(random, ['\r\n', '\r\n', '\r\n', '\n', '\r', '\r\n\r\n']);
  const request = Buffer.concat([
    Buffer.from([pick(random, LINES), ...headers, '', ''].join(end)),
    random.below(2) === 0 ? garbage(random, 300) : Buffer.from('{"a":1}'),
  ]);
  for (let flips = random.below(4); flips > 0; flips -= 1)
    request[random.below(request.length)] = random.below(256);
  return random.below(3) === 0 ? request.subarray(0, random.below(request.length)) : request;
}

async function talk(random: Random): Promise<void> {
  const connection: RawConnection =
    random.below(3) === 0
      ? await connectPlain(simulator.url)
      : await connectSecure(simulator.url, simulator.ca);
  for (let parts = 1 + random.below(3); parts > 0; parts -= 1) connection.send(bytes(random));
  // some wait for an answer, some do not
  if (random.below(3) > 0) await Promise.race([connection.closed, pause(60)]);
  connection.close();
  await connection.closed;
}

test(`any bytes on the socket leave the simulator whole, seed ${SEED}`, async () => {
  const before = JSON.stringify(simulator.world);
  const random = seededRandom(SEED);
  const lane = async (): Promise<void> => {
    for (let left = CONNECTIONS / AT_ONCE; left > 0; left -= 1) await talk(random);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  expect(simulator.sim.defects.all()).toEqual([]);
  expect(brokenInvariants(simulator.sim)).toEqual([]);
  expect(JSON.stringify(simulator.world)).toBe(before);
  expect((await ask(simulator, 'GET', '/version')).status).toBe(200);
});
