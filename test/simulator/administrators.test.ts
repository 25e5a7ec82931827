import { writeFileSync } from 'node:fs';
import { defaultWorld } from '../../simulator';
import { readAdministrators } from '../../simulator/administrators/read';
import { SimulatorProgram } from '../support/api/simulator-program';
import { sendRaw } from '../support/api/raw-client';
import { openCluster } from '../support/cluster/open-cluster';

/** Other administrators, as data. */

const program = new SimulatorProgram();
afterAll(() => program.remove());

const edit = { method: 'PUT', path: '/nodes/{node}/qemu/{vmid}/config', params: { description: 'edit {n}' } };
const others = (more: object) =>
  readAdministrators([{ user: 'jane@pve', everyMs: 10_000, does: [edit], ...more }]);

it('act as users of the world, with the rights of theirs, on the guests that are named', async () => {
  const world = defaultWorld(3);
  world.access.users['jane@pve'] = { enable: true, tokens: {} };
  const cluster = await openCluster({ world, administrators: others({ guests: [100], count: 3 }) });
  try {
    await cluster.pass(20_000);
    const { ledger } = cluster.simulator;
    const ofJane = () => ledger.entries().filter(({ user }) => user === 'jane@pve');
    expect(ofJane().map(({ status }) => status)).not.toContain(200);
    expect(ofJane()[0]).toMatchObject({
      status: 403,
      method: 'PUT',
      path: expect.stringMatching(/^\/nodes\/pve\d\/qemu\/100\/config$/),
    });
    await cluster.data('PUT', '/access/acl', { path: '/vms', users: 'jane@pve', roles: 'PVEVMAdmin' });
    await cluster.pass(60_000);
    expect(ofJane()).toHaveLength(3);
    expect(ofJane().at(-1)).toMatchObject({ status: 200 });
    expect(cluster.world.guests[100]?.config['description']).toBe('edit 3');
    expect(cluster.world.guests[9000]?.config['description']).not.toBe('edit 3');
  } finally {
    await cluster.close();
  }
});

it('must be users of the world', async () => {
  await expect(openCluster({ administrators: others({ user: 'stranger@pve' }) })).rejects.toThrow(
    'the administrator stranger@pve is no user of this world; name one of its users',
  );
});

it('come from a file, and what is wrong in it is named', async () => {
  const file = program.file('others.json');
  writeFileSync(file, JSON.stringify([{ user: 'root@pam', everyMs: 100, does: [edit] }]));
  const { ready } = await program.startReady(['--administrators', file]);
  for (let total = 0; total === 0;) {
    const { text } = await sendRaw(ready.url, { method: 'GET', path: '/_sim/ledger/counts' });
    total = (JSON.parse(text) as { total: { writes: number } }).total.writes;
  }
  program.endAll();
  writeFileSync(file, JSON.stringify([{ user: 'root@pam', everyMs: 5, does: [edit] }]));
  const { code, errors } = await program.run(['--administrators', file]);
  expect({ code, errors }).toEqual({
    code: 2,
    errors: `pve-simulator: ${file}: administrators[0].everyMs: 5 is not allowed; expected 100 or more\n`,
  });
});
