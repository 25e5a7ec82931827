import { runLine } from '../reconciler/walk/live';
import { administratorOf } from '../support/cluster/administrator';
import { writes } from '../support/cluster/end-state';
import { desiredJson, lab, type Json, type Lab } from '../support/cluster/lab';
import { programAccess } from '../support/cluster/program-access';
import { blankMachine } from '../support/runs/blank-machine';

let cluster: Lab;
beforeEach(async () => (cluster = await lab({ taskMs: 0 })));
afterEach(() => cluster.close());

const clone: Json = { id: 'web', image: { template: 'ubuntu-22.04' }, power: 'stopped' };
const onStorage = { disks: [{ name: 'root', size: '8G', storage: 'fast' }] };
const onBridge = { networks: [{ name: 'lan', bridge: 'vmbr9' }] };
const anyNode = { ...blankMachine, node: undefined };

async function refused(want: Json): Promise<string> {
  cluster.simulator.ledger.reset();
  const errors = await cluster.bring(want);
  expect(writes(cluster.simulator)).toEqual([]);
  return errors.join('\n');
}

const NO_BRIDGE = "pve1, pve2, pve3: bridge 'vmbr9' not found, it has vmbr0, vmbr1, vmbr2).";
const NAME_BRIDGE = 'Name a bridge that a node has in networks[lan].bridge, or make vmbr9 on one.';
const LESS = 'Ask for less in memory, or make room on a node.';
const NO_ROOM = 'pve1, pve2, pve3: insufficient resources on node (memory: 56Gi to give, 900Gi are wanted)).';

describe('the five messages that users look for come before the first write, with what there is instead', () => {
  it.each<[string, Json, string, string]>([
    [
      'a storage',
      { ...anyNode, ...onStorage },
      "no node can take it (pve1, pve2, pve3: storage 'fast' not found, it has local, local-lvm, shared).",
      'Name another storage in disks[root].storage.',
    ],
    [
      'a storage, for one disk',
      {
        ...anyNode,
        disks: [
          { name: 'root', size: '8G', storage: 'local-lvm' },
          { name: 'd', size: '1G', storage: 'fast' },
        ],
      },
      "storage 'fast' not found",
      'Name another storage in disks[d].storage.',
    ],
    [
      'a storage with the room',
      { ...anyNode, disks: [{ name: 'root', size: '900000G', storage: 'local-lvm' }] },
      "storage 'local-lvm' has",
      'Name another storage in disks[root].storage, or ask for less in size of these disks, or make room on local-lvm.',
    ],
    ['a bridge', { ...anyNode, ...onBridge }, NO_BRIDGE, NAME_BRIDGE],
    ['a bridge, of a clone', { ...clone, ...onBridge }, NO_BRIDGE, NAME_BRIDGE],
    [
      'a template',
      { ...clone, image: { template: 'nope' } },
      "template 'nope' not found. The cluster has: ubuntu-22.04 (9000 on pve1), debian-12 (9001 on pve1).",
      'Name one of them',
    ],
    [
      'a template, and a container has its number',
      { ...clone, image: { template: 101 } },
      "template '101' not found: VM 101 on pve3, which is called so, is a container.",
      'Name a template.',
    ],
    [
      'a template, and another machine has its name',
      { ...clone, image: { template: 'legacy-db' } },
      "template 'legacy-db' not found: VM 100 on pve3, which is called so, is no template.",
      'Name one, or copy it by its id: 100.',
    ],
    ['memory', { ...anyNode, memory: '900Gi' }, NO_ROOM, LESS],
    ['memory, of a clone', { ...clone, memory: '900Gi' }, NO_ROOM, LESS],
  ])('%s that a new machine lacks', async (_, want, says, remedy) => {
    const said = await refused(want);
    expect(said).toContain(says);
    expect(said).toContain(remedy);
  });

  it.each<[string, Json, Json]>([
    ['a storage', onStorage, { disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }] }],
    ['a bridge', onBridge, { networks: [{ name: 'lan', bridge: 'vmbr0' }] }],
    ['memory', { memory: '900Gi' }, { memory: '1Gi' }],
  ])('%s: mended where the remedy says, it is made', async (_, wrong, right) => {
    await refused({ ...anyNode, ...wrong });
    expect(await cluster.bring({ ...anyNode, ...right })).toEqual([]);
  });

  it('plain http to the port of https: told to begin with https, which is enough', async () => {
    const { PVE_ENDPOINT = '', PVE_CA_BUNDLE, ...access } = programAccess(cluster.simulator);
    const plan = (way: Record<string, string>) =>
      runLine(['plan', '--spec', '-'], { ...access, ...way }, JSON.stringify(desiredJson([blankMachine])));
    const { said } = await plan({ PVE_ENDPOINT: PVE_ENDPOINT.replace('https:', 'http:') });
    expect(said).toContain('301 ');
    expect(said).toContain('Begin the endpoint with https:// and name Proxmox itself (https://HOST:8006)');
    expect(said).not.toContain('too new');
    expect(await plan({ PVE_ENDPOINT, PVE_CA_BUNDLE: PVE_CA_BUNDLE ?? '' })).toMatchObject({ code: 0 });
  });

  it('an id that somebody has', async () => {
    await administratorOf(cluster)('POST', '/nodes/pve2/qemu', { vmid: '555', name: 'theirs' });
    expect(await refused({ ...blankMachine, vmid: 555 })).toContain(
      'VM 555 already exists: guest 555 (theirs) on pve2. It is not this machine. Give another vmid or none',
    );
  });

  it.each([
    [
      'a storage',
      onStorage,
      "storage 'fast' not found on node pve1, which has local, local-lvm, shared. Name one of these in disks[root].storage",
    ],
    [
      'a bridge',
      onBridge,
      "bridge 'vmbr9' not found on node pve1, which has vmbr0, vmbr1, vmbr2. Name one of these in networks[lan].bridge",
    ],
  ])('%s that a machine which is there shall have', async (_, more, says) => {
    expect(await cluster.bring(blankMachine)).toEqual([]);
    expect(await refused({ ...blankMachine, ...more })).toContain(says);
  });
});
