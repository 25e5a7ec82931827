import { setTimeout as pause } from 'node:timers/promises';
import type { Simulator } from '../../../simulator';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { seededRandom } from '../../../simulator/random';
import { FastClient } from '../../support/api/fast-client';
import type { FuzzContext } from '../../support/random/requests';
import { drawRequest } from '../../support/random/requests';
import type { RawAnswer, RawRequest } from '../../support/api/raw-client';
import { defaultWorld } from '../../../simulator';
import { ask, login, authorizationOf } from '../../support/cluster/ask';
import { ROOT, TOKEN, startCluster } from '../../support/cluster/start-cluster';

/** The gate plays one seed, so that it is red only for a change; `npm run test:campaign:unit` looks further. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 1_000);
const AT_ONCE = Number(process.env['FUZZ_AT_ONCE'] ?? 8);
const ROUND = 250;
const ROUNDS_PER_WORLD = 8;

/** What no Proxmox says, but a program that is wrong does. */
const SUSPICIOUS =
  /simulator: |TypeError|RangeError|\[object |is not a function|Cannot read|(?<!got )undefined|\bNaN\b/;

let simulator: Simulator;
let client: FastClient;

beforeAll(async () => {
  simulator = await startCluster({ world: defaultWorld(3, 4), timeScale: 1000, seed: SEED });
  client = new FastClient(simulator.url, AT_ONCE);
});
afterAll(async () => {
  client.close();
  await simulator.close();
});

const loginAs = (username: string, password: string): Promise<Record<string, string>> =>
  login(simulator, { username, password });

/** Users of all sorts, in a world that is new. */
async function setUp(): Promise<FuzzContext> {
  await ask(simulator, 'POST', '/_sim/reset');
  const make = (method: string, path: string, form: Record<string, string>) =>
    ask(simulator, method, path, { form });
  await make('POST', '/access/users', { userid: 'reader@pve', password: 'secret-word' });
  await make('POST', '/access/users', { userid: 'a@pve', password: 'secret-word' });
  await make('PUT', '/access/acl', { path: '/', users: 'reader@pve', roles: 'PVEAuditor' });
  await make('PUT', '/access/acl', { path: '/', users: 'a@pve', roles: 'PVEAdmin' });
  const token = await make('POST', '/access/users/a@pve/token/t1', { privsep: '0' });
  await make('POST', '/pools', { poolid: 'team' });
  const root = { authorization: authorizationOf(TOKEN) };
  const ofRoot = await login(simulator, ROOT);
  const users = [
    root,
    root,
    root,
    ofRoot,
    ofRoot,
    ofRoot,
    ofRoot,
    ofRoot,
    ofRoot,
    ofRoot,
    ofRoot,
    { authorization: `PVEAPIToken=a@pve!t1=${token.json.data.value}` },
    { authorization: `PVEAPIToken=a@pve!t1=${token.json.data.value}` },
    await loginAs('reader@pve', 'secret-word'),
    { authorization: 'PVEAPIToken=nobody' },
    {},
  ];
  return { users, upids: [], world: simulator.world };
}

const suspicions: string[] = [];

function look(request: RawRequest, answer: RawAnswer | undefined, context: FuzzContext): void {
  const said = JSON.stringify([
    request.path,
    decodeURIComponent(request.path.replace(/%(?![0-9a-f]{2})/gi, '')),
    String(request.body),
  ]);
  const text = answer === undefined ? 'no answer' : `${answer.reason} ${answer.text}`;
  const upid = /"(UPID:[^"]+)"/.exec(text)?.[1];
  if (upid !== undefined) context.upids.push(upid);
  const found = SUSPICIOUS.exec(text)?.[0];
  if (answer === undefined || (found !== undefined && !said.includes(found)))
    suspicions.push(`${request.method} ${request.path} ${String(request.body)} → ${text.slice(0, 300)}`);
}

/** Waits for the tasks; ends those that take their time. */
async function rest(): Promise<void> {
  for (;;) {
    const running = simulator.sim.tasks.all().filter(({ status }) => status === 'running');
    if (running.length === 0) return;
    const ends = Promise.all(running.map(({ upid }) => simulator.sim.tasks.ended(upid)));
    await Promise.race([ends, pause(250)]);
    // what is throttled to a byte a second, or waits for it
    running.forEach(({ upid }) => simulator.sim.tasks.stop(upid));
  }
}

async function playRound(seed: number, context: FuzzContext): Promise<void> {
  const random = seededRandom(seed);
  let left = ROUND;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const request = drawRequest(random, context);
      // this format always says 200, so that the connection stays open
      const format = random.below(10) === 0 ? '/api2/json' : '/api2/extjs';
      look(request, await client.send({ ...request, path: format + request.path }), context);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await rest();
}

test(`${REQUESTS} requests of all kinds leave the world whole, seed ${SEED}`, async () => {
  let context = await setUp();
  for (let round = 0; round < REQUESTS / ROUND; round += 1) {
    if (round > 0 && round % ROUNDS_PER_WORLD === 0) context = await setUp();
    await playRound(SEED * 1000 + round, context);
    const found = {
      round,
      suspicions,
      broken: brokenInvariants(simulator.sim),
      defects: simulator.sim.defects.all(),
    };
    expect(found).toEqual({ round, suspicions: [], broken: [], defects: [] });
  }
  expect((await ask(simulator, 'GET', '/_sim/ledger/counts')).json.total.requests).toBeGreaterThan(ROUND);
});
