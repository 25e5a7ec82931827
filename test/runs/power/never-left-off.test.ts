import { writes } from '../../support/cluster/end-state';
import type { Json, Lab } from '../../support/cluster/lab';
import { offFaults } from '../../support/runs/off-faults';
import { runningWeb } from '../../support/runs/running-web';
import { EVERY } from '../../support/turns';

describe('no run leaves a machine off that it found running', () => {
  it.each(EVERY ? [1, 2] : [1])('every field changed, one of its requests refused, seed %i', async seed => {
    expect(await offFaults(seed)).toEqual([]);
  });
});

describe('a machine that runs', () => {
  let web: Awaited<ReturnType<typeof runningWeb>>;
  let cluster: Lab;
  beforeEach(async () => {
    web = await runningWeb({ networks: [{ name: 'lan' }] });
    ({ cluster } = web);
  });
  afterEach(() => cluster.close());
  const guest = () => web.guest();
  const change = (fields: Json) => web.change(fields);

  it.each(['whenNeeded', 'never'])(
    'is left alone where a bridge is not there, restart: %s',
    async restart => {
      const errors = await change({ restart, networks: [{ name: 'lan', bridge: 'nope' }] });
      expect(errors).toEqual([
        expect.stringContaining("bridge 'nope' not found on node pve1, which has vmbr0"),
      ]);
      expect(writes(cluster.simulator).filter(line => !line.endsWith('/ticket'))).toEqual([]);
      expect(guest().running).not.toBeNull();
    },
  );

  it('gets back what it ran with where QEMU refuses what waited for its restart', async () => {
    const errors = await change({ cpu: { cores: 2 }, options: { args: '-nonsense' } });
    expect(errors).toEqual([expect.stringContaining('start failed: QEMU exited with code 1')]);
    expect(guest()).toMatchObject({ running: expect.anything() as unknown, pending: {} });
    expect(guest().config['args']).toBeUndefined();
    const warnings = cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));
    expect(warnings.join()).toMatch(
      /did not start with .*args.* as wanted: put back as it was, and started again/,
    );
  });

  it('is not restarted for a change that Proxmox has just refused', async () => {
    const refused = { net0: 'hotplug problem - error on hot-unplugging device' };
    cluster.simulator.faults.add({
      path: '/nodes/*/qemu/*/config',
      methods: ['POST'],
      count: 1,
      effect: { kind: 'answer', status: 400, text: 'Parameter verification failed.', errors: refused },
    });
    expect(await change({ networks: [{ name: 'lan', model: 'e1000' }] })).toEqual([
      expect.stringContaining('hotplug problem'),
    ]);
    expect(writes(cluster.simulator).filter(line => line.includes('/status/'))).toEqual([]);
  });
});
