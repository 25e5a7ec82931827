import type { Guest } from '../../../simulator/world';
import { foreignTask } from '../../support/cluster/foreign-task';
import type { Json, Lab } from '../../support/cluster/lab';
import { desired, errorsOf, lab } from '../../support/cluster/lab';

const root: Json = { name: 'root', size: '1Gi', storage: 'local-lvm' };
const data: Json = { name: 'data', size: '1Gi', storage: 'local-lvm', onRemove: 'delete' };
const web: Json = {
  id: 'web',
  image: { blank: true },
  node: 'pve1',
  power: 'running',
  restart: 'whenNeeded',
  shutdownTimeout: '1s',
  hotplug: [],
  disks: [root, data],
};
const REFUSED = 'start failed: QEMU exited with code 1';
const START = { path: '/nodes/*/qemu/*/status/start', methods: ['POST'], count: 1 };

describe('a machine that our own restart stopped', () => {
  let cluster: Lab;
  let acts: (line: string) => void;
  beforeEach(async () => {
    acts = () => undefined;
    cluster = await lab({ taskMs: 0, as: 'root', before: ({ method, path }) => acts(`${method} ${path}`) });
    expect(errorsOf(await cluster.run(desired([web])))).toEqual([]);
    guest().system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  });
  afterEach(() => cluster.close());
  const guest = (): Guest =>
    Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web')!;
  const change = async (fields: Json) => errorsOf(await cluster.run(desired([{ ...web, ...fields }])));
  const startAnswers = (text: string, after = 0): void =>
    void cluster.simulator.faults.add({ ...START, after, effect: { kind: 'answer', status: 500, text } });

  it('is started again where this run wrote its mark in between', async () => {
    startAnswers('VM is locked (backup)');
    startAnswers(REFUSED, 1);
    const marks = [guest().config['description']];
    acts = line => void (line.endsWith('/status/start') && marks.push(guest().config['description']));
    expect(await change({ disks: [root] })).toEqual([expect.stringContaining(REFUSED)]);
    expect(new Set(marks.slice(1)).size).toBeGreaterThan(1);
    expect(guest().running).not.toBeNull();
  });

  it('gets back also what this run wrote directly before the restart', async () => {
    expect(await change({ restart: 'never', cpu: { cores: 2 } })).toEqual([]);
    expect(guest().pending).toMatchObject({ cores: expect.anything() as unknown });
    expect(await change({ cpu: { cores: 2 }, options: { args: '-nonsense' } })).toEqual([
      expect.stringContaining(REFUSED),
    ]);
    expect(guest()).toMatchObject({ running: expect.anything() as unknown, pending: {} });
    expect(guest().config['args']).toBeUndefined();
  });

  it('is started again while somebody has its console open', async () => {
    const console = foreignTask(cluster.simulator, { type: 'vncproxy', id: String(guest().vmid) });
    expect(await change({ options: { args: '-nonsense' } })).toEqual([expect.stringContaining(REFUSED)]);
    expect(guest().running).not.toBeNull();
    console.stop();
  }, 30_000);

  it('is left off where the restart went well and somebody stopped it later', async () => {
    const path = '/nodes/*/qemu/*/config';
    const text = 'Parameter verification failed.';
    const effect = { kind: 'answer', status: 400, text, errors: { delete: 'no' } } as const;
    let restarted = false;
    acts = line => {
      if (restarted && /^(?:PUT|POST) .*\/config$/.test(line)) guest().running = null;
      if (restarted || !line.endsWith('/status/start')) return;
      restarted = true;
      cluster.simulator.faults.add({ path, methods: ['PUT', 'POST'], effect });
    };
    expect(await change({ power: 'unmanaged', disks: [root] })).toEqual([expect.stringContaining('delete')]);
    expect(restarted).toBe(true);
    expect(guest().running).toBeNull();
  });
});
