import { defaultWorld } from '../../simulator';
import { applyEvent } from '../../simulator/events/apply';
import type { Params } from '../support/cluster/ask';
import type { OpenCluster } from '../support/cluster/open-cluster';
import { openCluster } from '../support/cluster/open-cluster';

/** The groups of release 8: pve-ha-manager 4.0 as read, and the difference of the schemas. */

let cluster: OpenCluster;
beforeEach(async () => {
  const world = { ...defaultWorld(3), version: { release: '8.4', version: '8.4.21' } };
  cluster = await openCluster({ world });
  await cluster.run('POST', '/nodes/pve2/qemu', { vmid: 400, memory: 64 });
});
afterEach(() => cluster.close());

async function asked(method: string, path: string, params: Params = {}): Promise<unknown> {
  const { status, json } = await cluster.request(method, path, params);
  return status === 200 ? 'OK' : (json.errors ?? String(json.message).trimEnd());
}
const GROUPS = '/cluster/ha/groups';
const make = (params: Params = {}) => asked('POST', GROUPS, { group: 'g1', nodes: 'pve2:2,pve3', ...params });

it('are made, read, changed and deleted', async () => {
  expect(await make({ nofailback: 1, comment: 'c' })).toBe('OK');
  expect(await make()).toBe("create ha group failed: ha group ID 'g1' already defined");
  const row = { group: 'g1', type: 'group', nodes: 'pve2:2,pve3', nofailback: 1, comment: 'c' };
  expect(await cluster.data('GET', GROUPS)).toEqual([{ ...row, digest: expect.any(String) }]);
  const { digest } = (await cluster.data('GET', `${GROUPS}/g1`)) as { digest: string };
  expect(await asked('PUT', `${GROUPS}/g1`, { restricted: 1, delete: 'comment', digest })).toBe('OK');
  expect(await cluster.data('GET', `${GROUPS}/g1`)).toMatchObject({ restricted: 1, nofailback: 1 });
  expect(await asked('PUT', `${GROUPS}/g1`, { comment: 'd', digest })).toMatch(
    /^update ha group failed: detected modified configuration/,
  );
  expect(await asked('PUT', `${GROUPS}/g1`, { delete: 'nodes' })).toBe(
    "update ha group failed: unable to delete required option 'nodes'",
  );
  expect(await asked('PUT', `${GROUPS}/g2`, { comment: 'd' })).toBe(
    "update ha group failed: no such ha group 'g2'",
  );
  expect(await asked('DELETE', `${GROUPS}/g1`)).toBe('OK');
  expect(await asked('GET', `${GROUPS}/g1`)).toBe("no such ha group 'g1'");
});

it('hold resources: a group that is used stays, one that is not there is refused', async () => {
  const manage = (params: Params) => asked('POST', '/cluster/ha/resources', { sid: 'vm:400', ...params });
  expect(await manage({ group: 'g1' })).toBe("HA group 'g1' does not exist");
  await make();
  expect(await manage({ failback: 1 })).toHaveProperty('failback');
  expect(await manage({ group: 'g1' })).toBe('OK');
  expect(await asked('DELETE', `${GROUPS}/g1`)).toBe(
    "delete ha group failed: ha group is used by service 'vm:400'",
  );
  expect(await asked('DELETE', '/cluster/ha/resources/vm:400', { purge: 1 })).toHaveProperty('purge');
  await cluster.pass(10_000);
  const rows = (await cluster.data('GET', '/cluster/ha/status/current')) as Record<string, unknown>[];
  expect(rows.map(({ id }) => id)).not.toContain('fencing');
  expect(rows.at(-1)).toMatchObject({ sid: 'vm:400', group: 'g1' });
  expect(rows.at(-1)).not.toHaveProperty('failback');
});

it.each([
  ['0', 'pve2'],
  ['1', 'pve3'],
])(
  'decide where a guest goes when its node dies; with nofailback=%s it ends on %s',
  async (nofailback, end) => {
    await make({ nofailback });
    await asked('POST', '/cluster/ha/resources', { sid: 'vm:400', group: 'g1' });
    await cluster.pass(20_000);
    const event = (action: 'node-down' | 'node-up'): void =>
      applyEvent(cluster.simulator.sim, { kind: 'node', action, node: 'pve2' });
    event('node-down');
    await cluster.pass(170_000);
    expect(cluster.world.guests[400]?.node).toBe('pve3');
    event('node-up');
    await cluster.pass(60_000);
    expect(cluster.world.guests[400]?.node).toBe(end);
  },
);

it('there are no rules beside them', async () => {
  expect(await asked('GET', '/cluster/ha/rules')).toBe("Method 'GET /cluster/ha/rules' not implemented");
  expect(await asked('GET', '/cluster/ha/rules/r1')).toBe(
    "Method 'GET /cluster/ha/rules/r1' not implemented",
  );
  expect(await asked('POST', '/cluster/ha/resources/vm:400/migrate', { node: 'pve1' })).toBe(
    "resource 'vm:400' is not HA managed",
  );
});
