import { guestLock } from '../cluster/lock-files';
import { isMember, recountQuorum } from '../cluster/quorum';
import type { Sim } from '../cluster/sim';
import { spaceOf } from '../storage/on-node';
import type { Guest, Node } from '../world';
import type { NodeAction, WorldEvent } from './event';

type Apply = { [Kind in WorldEvent['kind']]: (sim: Sim, event: Extract<WorldEvent, { kind: Kind }>) => void };

/** Makes something happen in the cluster now. Fails, changing nothing, where the node, guest or storage does not exist. */
export function applyEvent(sim: Sim, event: WorldEvent): void {
  const apply: (sim: Sim, event: never) => void = APPLY[event.kind];
  // the table's key is the event's kind, which the compiler cannot follow through the look-up
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  apply(sim, event as never);
}

const APPLY: Apply = {
  node: (sim, { action, node }) => NODE[action](sim, nodeNamed(sim, node)),
  quorum: (sim, { quorate }) => {
    if (!sim.world.cluster) throw new Error('a single node has no quorum to lose');
    sim.world.cluster.quorate = quorate;
  },
  edit: (sim, { vmid, set, delete: keys }) => {
    const { config } = guestNumbered(sim, vmid);
    Object.assign(config, set);
    keys.forEach(key => delete config[key]);
  },
  move: moveGuest,
  lock: (sim, { vmid, lock }) => {
    const { config } = guestNumbered(sim, vmid);
    if (lock === '') delete config['lock'];
    else config['lock'] = lock;
  },
  flock: (sim, { vmid, ms }) => {
    const { node } = guestNumbered(sim, vmid);
    void sim.flocks.hold(guestLock(node, vmid), Number.MAX_SAFE_INTEGER, () => sim.clock.sleep(ms));
  },
  'storage-full': (sim, { storage: id }) => {
    const storage = sim.world.storages.find(({ storage }) => storage === id);
    if (!storage) throw new Error(`there is no storage '${id}'`);
    // as full on each of its nodes as on the fullest of them it is now
    storage.total = Math.min(...sim.world.nodes.map(({ name }) => spaceOf(sim, name, storage).used));
  },
};

const NODE: Record<NodeAction, (sim: Sim, node: Node) => void> = {
  'api-down': (_, node) => (node.apiUp = false),
  'api-up': (_, node) => (node.apiUp = true),
  'node-down': powerOff,
  'node-up': ({ world, clock }, node) => {
    if (!node.online) node.bootedAt = Math.floor(clock.now() / 1000);
    Object.assign(node, { online: true, apiUp: true });
    recountQuorum(world);
  },
  'quorum-loss': ({ world }, node) => {
    node.left = true;
    recountQuorum(world);
  },
  'quorum-restore': ({ world }, node) => {
    delete node.left;
    if (isMember(node)) recountQuorum(world);
  },
};

/** The machine loses its power: its guests stop where they are, its tasks die. Their locks stay. */
function powerOff(sim: Sim, node: Node): void {
  node.online = false;
  sim.tasks.die(node.name);
  for (const guest of Object.values(sim.world.guests)) if (guest.node === node.name) guest.running = null;
  recountQuorum(sim.world);
}

function moveGuest(sim: Sim, { vmid, node }: { vmid: number; node: string }): void {
  const guest = guestNumbered(sim, vmid);
  nodeNamed(sim, node);
  guest.node = node;
  for (const volume of sim.world.volumes)
    if (volume.vmid === vmid && volume.node !== null) volume.node = node;
}

function nodeNamed(sim: Sim, name: string): Node {
  const node = sim.world.nodes.find(each => each.name === name);
  if (!node) throw new Error(`there is no node '${name}'`);
  return node;
}

function guestNumbered(sim: Sim, vmid: number): Guest {
  const guest = sim.world.guests[vmid];
  if (!guest) throw new Error(`there is no guest ${vmid}`);
  return guest;
}
