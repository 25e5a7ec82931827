import { join } from 'node:path';
import type { GuestSystem } from '../../../simulator/world';
import type { Json, Lab } from '../../support/cluster/lab';
import { lab } from '../../support/cluster/lab';

const web = {
  id: 'web',
  node: 'pve1',
  image: { template: 9000 },
  agent: true,
  timeouts: { agent: '1s', cloudInit: '1s' },
  cloudInit: { userData: { packages: ['nginx'] }, waitForCompletion: true },
};
const SYSTEM: GuestSystem = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
const ERRORS = ["('scripts_user', RuntimeError('Runparts: 1 failures'))", 'two', 'three', 'four'];

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

/** What the machine is made from; by itself cloud-init needs some time, and all goes well. */
function boots(system: Partial<GuestSystem> = {}): void {
  cluster.world.guests[9000]!.system = { ...SYSTEM, ...runs(300), ...system };
}
const runs = (ms: number, errors: string[] = []): Partial<GuestSystem> => ({
  cloudInit: { kind: 'runs', ms, errors },
});
const warnings = (): string[] =>
  cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
const told = (): string[] =>
  cluster.events.flatMap(event => (event.kind === 'progress' && event.machine === 'web' ? [event.text] : []));
const looks = (): number =>
  cluster.simulator.ledger.entries().filter(({ path }) => path.endsWith('/agent/file-read')).length;
const bring = async (more: Json = {}): Promise<void> =>
  expect(await cluster.bring({ ...web, ...more })).toEqual([]);

describe('waitForCompletion', () => {
  test('waits until cloud-init is done, and not again in a run that starts nothing', async () => {
    boots();
    const { userData } = web.cloudInit;
    await bring({ cloudInit: { userData, waitForCompletion: true } });
    expect(warnings()).toEqual([]);
    expect(told()).toEqual([
      'waits for cloud-init: 1s until it begins, then 1s at most',
      'cloud-init is done, without errors',
    ]);
    expect(looks()).toBeGreaterThan(1);
    cluster.simulator.ledger.reset();
    await bring();
    expect(looks()).toBe(0);
  });

  test('waits after the start of a machine that was off', async () => {
    boots();
    await bring({ power: 'stopped' });
    expect(looks()).toBe(0);
    await bring();
    expect(looks()).toBeGreaterThan(1);
  });

  test.each<[string, Partial<GuestSystem>, Json, RegExp]>([
    [
      'what went wrong in the guest',
      runs(0, ERRORS),
      {},
      /done, with the status "error": .*Runparts: 1 failures.*three; and 1 more\. Run "cloud-init status --long"/,
    ],
    [
      'cloud-init that is at work',
      runs(1e9),
      {},
      /it is still at modules-final after 1s; raise timeouts\.cloudInit/,
    ],
    [
      'a guest without cloud-init',
      { cloudInit: { kind: 'none', ms: 0, errors: [] } },
      {},
      /has not begun; it may not be installed/,
    ],
    [
      'cloud-init that is switched off',
      { cloudInit: { kind: 'disabled', ms: 0, errors: [] } },
      {},
      /is switched off in the guest/,
    ],
    [
      'a guest without agent',
      { agent: false },
      {},
      /no agent answers, it may not be installed .*agent is not running/,
    ],
  ])('%s is a warning, and no failure', async (_, system, more, said) => {
    boots(system);
    await bring(more);
    expect(warnings()).toEqual([expect.stringMatching(said)]);
    expect(cluster.world.guests[10_000]?.running).not.toBeNull();
  });

  test('an agent that is off in the configuration is a warning', async () => {
    boots();
    delete cluster.world.guests[9000]!.config['agent'];
    await bring({ agent: undefined });
    expect(warnings()).toEqual([expect.stringContaining('off in the configuration; set agent to true')]);
  });

  test('an agent that reads no files is a warning that says what to allow', async () => {
    boots();
    const text = 'Agent error: Command guest-file-open has been disabled';
    const path = '/nodes/*/qemu/*/agent/file-read';
    cluster.simulator.faults.add({ path, effect: { kind: 'answer', status: 500, text } });
    await bring();
    expect(warnings()).toEqual([expect.stringMatching(/open has been disabled\); allow guest-file-open/)]);
  });

  test('errors may quote data that was read from a reference, and are not shown then', async () => {
    boots(runs(0, ['secret']));
    const userDataFrom = { file: join(__dirname, '../../../.ci/run') };
    await bring({ cloudInit: { userDataFrom, waitForCompletion: true } });
    expect(warnings()).toEqual([expect.stringContaining('1 errors, which may quote its data')]);
  });
});
