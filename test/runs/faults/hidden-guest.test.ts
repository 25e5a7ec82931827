import type { Json, Lab } from '../../support/cluster/lab';
import { lab } from '../../support/cluster/lab';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const blank: Json = { id: 'web', image: { blank: true }, memory: '1Gi', power: 'stopped' };
const cloned: Json = { id: 'web', image: { template: 9000 }, power: 'stopped' };
const creates = (): number =>
  cluster.simulator.ledger
    .entries()
    .filter(({ method, path }) => /^POST.*(qemu|clone)$/.test(`${method} ${path}`)).length;

/** A proxy between, or a server that is not quite Proxmox. */
function hideConfigurations(): void {
  const effect = { kind: 'answer', status: 404, text: 'Not Found' } as const;
  for (const path of ['pending', 'config'])
    cluster.simulator.faults.add({ methods: ['GET'], path: `/nodes/*/qemu/10000/${path}`, effect });
}

describe.each(Object.entries({ blank, cloned }))(
  'a machine (%s) whose node lists it and hides its configuration',
  (_, want) => {
    it('is not made again by a later run', async () => {
      expect(await cluster.bring(want)).toEqual([]);
      hideConfigurations();
      cluster.simulator.ledger.reset();
      const [error = ''] = await cluster.bring(want);
      expect(error).toContain('its node lists guest 10000 (web) on pve1, but returns no configuration');
      expect(creates()).toBe(0);
    });

    it('is made once by the run that makes it', async () => {
      hideConfigurations();
      expect(await cluster.bring(want)).not.toEqual([]);
      expect(await cluster.bring(want)).not.toEqual([]);
      expect(creates()).toBe(1);
    });
  },
);

it('is made once by a run whose guest goes directly after', async () => {
  const removing = await lab({
    before: ({ method, path }) => {
      if (method === 'GET' && path.endsWith('/10000/pending')) delete removing.world.guests[10_000];
      return Promise.resolve();
    },
  });
  const [error] = await removing.bring(blank);
  expect(error).toContain('VM 10000 was made on pve1, and is not there any more');
  const made = removing.simulator.ledger
    .entries()
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/qemu'));
  expect(made).toHaveLength(1);
  await removing.close();
});

it('is made beside a container of its name on a node that does not answer', async () => {
  const { guests } = cluster.world;
  guests[777] = {
    ...structuredClone(guests[9000]!),
    vmid: 777,
    type: 'lxc',
    node: 'pve2',
    config: { hostname: 'web' },
  };
  const effect = { kind: 'gateway', status: 595, text: 'No route to host', work: 'not-done' } as const;
  cluster.simulator.faults.add({ path: '/nodes/pve2/**', effect });
  expect(await cluster.bring({ ...blank, node: 'pve1' })).toEqual([]);
});
