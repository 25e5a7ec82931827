import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultWorld } from '../../../simulator/default-world/cluster';
import { loadWorld } from '../../../simulator/world-file/load';

const recorded = (): Record<string, unknown> =>
  JSON.parse(readFileSync(join(__dirname, '../../contract/recordings/world.json'), 'utf8'));

describe('a world file', () => {
  it('gives the world of the recordings', () => {
    const world = loadWorld(recorded());
    expect(world.nodes.map(({ name }) => name)).toEqual(['pve1', 'pve2']);
    expect(world.storages.map(({ storage, shared }) => [storage, shared])).toEqual([
      ['local', false],
      ['second', false],
      ['shared', true],
    ]);
    expect(world.volumes.find(({ volid }) => volid === 'shared:import/tiny.qcow2')).toMatchObject({
      node: null,
      content: 'import',
      format: 'qcow2',
      size: 67108864,
      filesize: 196616,
    });
    expect(world.access.users['tf@pve']?.tokens['prov']?.privsep).toBe(false);
    expect(world.access.roles['LabProvisioner']).toContain('VM.Clone');
    expect(world.guests).toEqual({});
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an unknown field', { nodez: [] }, 'nodez: unknown field; did you mean "nodes"?'],
    ['a field far from all', { zzzzzzzz: 1 }, 'zzzzzzzz: unknown field; known are '],
    ['no nodes', { nodes: [] }, 'nodes: [] is not allowed; expected at least one node'],
    ['a list that is none', { nodes: {} }, 'nodes: {} is not allowed; expected a list'],
    ['a node that is none', { nodes: ['a'] }, 'nodes[0]: "a" is not allowed; expected an object'],
    [
      'an unknown node field',
      { nodes: [{ brigdes: [] }] },
      'nodes[0].brigdes: unknown field; did you mean "bridges"?',
    ],
    ['a number as a name', { nodes: [{ name: 7 }] }, 'nodes[0].name: 7 is not allowed; expected a text'],
    ['a name with a dot', { nodes: [{ name: 'a.b' }] }, 'nodes[0].name: "a.b" is not allowed'],
    ['two nodes of one name', { nodes: [{ name: 'a' }, { name: 'a' }] }, 'nodes[1].name: "a" is not allowed'],
    [
      'a flag that is none',
      { nodes: [{ online: 'yes' }] },
      'nodes[0].online: "yes" is not allowed; expected true, false, 1 or 0',
    ],
    [
      'a negative size',
      { volumes: [{ volid: 'local:iso/a.iso', size: -1 }] },
      'volumes[0].size: -1 is not allowed; expected a whole number, 0 or more',
    ],
    ['no size', { volumes: [{ volid: 'local:iso/a.iso' }] }, 'volumes[0].size: nothing is not allowed'],
    [
      'a volume of no storage',
      { volumes: [{ volid: 'lokal:iso/a.iso', size: 1 }] },
      'volumes[0].volid: "lokal:iso/a.iso" is not allowed; expected a storage of local, second, shared',
    ],
    [
      'a volume without a storage',
      { volumes: [{ volid: 'a.iso', size: 1 }] },
      'volumes[0].volid: "a.iso" is not allowed; expected STORAGE:NAME',
    ],
    [
      'a local volume everywhere',
      { volumes: [{ node: '*', volid: 'local:iso/a.iso', size: 1 }] },
      'volumes[0].node: "*" is not allowed; expected one of pve1, pve2',
    ],
    [
      'a shared volume on a node',
      { volumes: [{ node: 'pve1', volid: 'shared:iso/a.iso', size: 1 }] },
      'volumes[0].node: "pve1" is not allowed; expected "*", because the storage is shared',
    ],
    [
      'an unknown storage type',
      { storages: [{ storage: 'a', type: 'lvmthim', content: 'images' }], volumes: [] },
      'storages[0].type: "lvmthim" is not allowed; expected one of dir, nfs, cifs, lvm, lvmthin, zfspool, rbd, cephfs, btrfs (did you mean "lvmthin"?)',
    ],
    [
      'a guest on no node',
      { guests: [{ vmid: 100, node: 'pve9' }] },
      'guests (100).node: "pve9" is not allowed; expected one of pve1, pve2',
    ],
    [
      'two guests of one id',
      {
        guests: [
          { vmid: 100, node: 'pve1' },
          { vmid: 100, node: 'pve2' },
        ],
      },
      'guests[1].vmid: 100 is not allowed; expected an id that no other guest has',
    ],
    [
      'an id too low',
      { guests: [{ vmid: 99, node: 'pve1' }] },
      'guests.vmid: 99 is not allowed; expected an id from 100',
    ],
    [
      'a token of nobody',
      { tokens: { 'who@pve!a': { value: 'x' } } },
      'tokens.who@pve!a: "who@pve!a" is not allowed; expected USER@REALM!NAME of a user',
    ],
    [
      'a user of no realm',
      { users: { 'a@ldap': {} }, tokens: {}, acl: [] },
      'users.a@ldap: "a@ldap" is not allowed; expected USER@REALM with a realm of pam, pve',
    ],
    [
      'an acl for nobody',
      { acl: [{ path: '/', ugid: 'who@pve', roleid: 'PVEAuditor' }] },
      'acl[0].ugid: "who@pve" is not allowed',
    ],
    [
      'an acl without a slash',
      { acl: [{ path: 'vms', ugid: 'tf@pve', roleid: 'PVEAuditor' }] },
      'acl[0].path: "vms" is not allowed; expected a path that starts with /',
    ],
    [
      'an unknown HA state',
      { ha: { resources: [{ sid: 'vm:100', state: 'on' }] } },
      'ha.resources[0].state: "on" is not allowed; expected one of started',
    ],
    [
      'an HA resource that is none',
      { ha: { resources: [{ sid: '100' }] } },
      'ha.resources[0].sid: "100" is not allowed; expected vm:ID or ct:ID',
    ],
    [
      'a role that is misspelt',
      { acl: [{ path: '/', ugid: 'tf@pve', roleid: 'PVEAuditer' }] },
      'acl[0].roleid: "PVEAuditer" is not allowed; expected a role; did you mean "PVEAuditor"?',
    ],
    [
      'a drive of a volume that is not there',
      { guests: [{ vmid: 100, node: 'pve1', config: { scsi0: 'local:100/vm-100-disk-0.raw,size=1G' } }] },
      'guests (100).config.scsi0: "local:100/vm-100-disk-0.raw" is not allowed; expected a volume of the file that is on pve1',
    ],
    [
      'a snapshot of no parent',
      { guests: [{ vmid: 100, node: 'pve1', snapshots: { b: { parent: 'a' } } }] },
      'guests (100).snapshots.b.parent: "a" is not allowed; expected one of the guest\'s snapshots: b',
    ],
    [
      'a guest in two pools',
      {
        pools: [
          { poolid: 'a', vms: [100] },
          { poolid: 'b', vms: [100] },
        ],
      },
      'pools (b).vms: 100 is not allowed; expected a guest that is not in the pool a',
    ],
    [
      'an HA resource of no guest',
      { ha: { resources: [{ sid: 'vm:100' }] } },
      'ha.resources (vm:100).sid: "vm:100" is not allowed; expected the id of a guest of the file',
    ],
    [
      'a member that is no number',
      { pools: [{ poolid: 'a', vms: ['100'] }] },
      'pools[0].vms[0]: "100" is not allowed; expected the number of a guest',
    ],
  ])('with %s is refused', (_, fault, message) => {
    expect(() => loadWorld({ ...recorded(), ...fault })).toThrow(message);
  });

  it('that is no object is refused', () => {
    expect(() => loadWorld([])).toThrow('the file: [] is not allowed; expected an object');
  });

  it('may hold running guests with a system', () => {
    const guests = [{ vmid: 100, node: 'pve2', config: { cores: 2 }, running: true, system: {} }];
    const guest = loadWorld({ ...recorded(), guests }).guests[100];
    expect(guest).toMatchObject({ node: 'pve2', config: { cores: '2' }, running: { qmp: 'running' } });
    expect(guest?.system).toEqual({ kind: 'linux', bootMs: 2000, agent: true, obeysShutdown: true });
  });
});

describe('the default world', () => {
  it('has the templates, the guests of others, and as many more as asked', () => {
    const world = defaultWorld(3, 5);
    const named = Object.values(world.guests).map(({ vmid, config }) => [
      vmid,
      config['name'] ?? config['hostname'],
    ]);
    expect(named).toEqual([
      [100, 'legacy-db'],
      [101, 'dns'],
      [9000, 'ubuntu-22.04'],
      [9001, 'debian-12'],
      ...[1, 2, 3, 4, 5].map(index => [10_000 + index, `guest-${index}`]),
    ]);
  });

  it('is no cluster when it has one node', () => {
    expect(defaultWorld(1).cluster).toBeNull();
  });
});
