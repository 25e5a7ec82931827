import { readFileSync, writeFileSync } from 'node:fs';
import { SimulatorProgram } from '../../support/api/simulator-program';
import { ask, ended } from '../../support/simulator/ask-simulator';

const program = new SimulatorProgram();
afterAll(() => program.remove());

const guest = {
  vmid: 100,
  type: 'qemu',
  node: 'a',
  config: { name: 'web', hostpci0: 'mapping=ACMEcard', hostpci1: '0000:01:00.0', usb0: 'mapping=ACMEstick' },
};
const world = {
  version: { release: '8.4', version: '8.4.1' },
  nodes: [{ name: 'a' }, { name: 'b' }],
  cluster: { name: 'c' },
  storages: [{ storage: 'local', type: 'btrfs', path: '/var/lib/vz', content: 'images,iso' }],
  volumes: [],
  guests: [guest],
  devices: { pci: ['ACMEcard', '0000:01:00.0'], usb: ['ACMEstick'] },
  ha: {
    groups: { ACMEgroup: { nodes: 'a:2,b', restricted: '1', comment: 'ACME' } },
    resources: [{ sid: 'vm:100', state: 'ignored', settings: { group: 'ACMEgroup' } }],
  },
};

it('records the HA groups of release 8, and devices so that their guest starts', async () => {
  writeFileSync(program.file('eight.json'), JSON.stringify(world));
  const { ready } = await program.startReady([
    '--world',
    program.file('eight.json'),
    '--password',
    'recorded',
  ]);
  const login = { PVE_TOKEN_ID: ready.tokenId, PVE_TOKEN_SECRET: ready.tokenSecret };
  const args = ['record', '--endpoint', ready.url, '--ca', ready.caFile, '--out', 'out.json'];
  const { code, errors, output } = await program.run(args, login);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).toMatch(/3 devices of hosts that guests name/);
  const text = readFileSync(program.file('out.json'), 'utf8');
  expect(text).not.toContain('ACME');
  const { ha, storages, guests } = JSON.parse(text);
  const [name = ''] = Object.keys(ha.groups);
  expect(ha.groups[name]).toMatchObject({
    nodes: expect.stringMatching(/^node-\w+:2,node-\w+$/),
    restricted: '1',
  });
  expect(ha.resources[0].settings.group).toBe(name);
  expect(storages[0].type).toBe('btrfs');
  const { ready: copy } = await program.startReady(['--world', program.file('out.json'), '--task-ms', '0']);
  const { data } = await ask(copy, 'POST', `/nodes/${guests[0].node}/qemu/100/status/start`);
  await ended(copy, data);
  const state = await ask(copy, 'GET', `/nodes/${guests[0].node}/qemu/100/status/current`);
  expect(state.data).toMatchObject({ status: 'running' });
}, 40_000);
