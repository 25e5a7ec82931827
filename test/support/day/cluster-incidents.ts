import { applyEvent } from '../../../simulator/events/apply';
import { TOKEN } from '../cluster/start-cluster';
import { guestOf, isAtPeace, oneOf, type Begun, type Day, type Incident } from './day';
import { broughtBack } from './guest-incidents';
import { sumOf, type Line, type Scrape } from './watched-daemon';

const CONNECTION = /^proxmox_cluster_connection_status/;
const NODES = /^proxmox_cluster_nodes_available/;

const lost: Pick<Begun, 'log' | 'metrics'> = {
  log: ({ message }) => message === 'Lost the cluster',
  metrics: now => sumOf(now, CONNECTION) === 0,
};

const fails = (error: RegExp): Pick<Begun, 'log' | 'metrics'> => {
  const errors = /^proxmox_operator_errors_total/;
  return {
    log: ({ level, message, error: text }: Line) =>
      level !== 'debug' && (error.test(String(text)) || error.test(message)),
    metrics: (now: Scrape, then: Scrape) => sumOf(now, errors) > sumOf(then, errors),
  };
};

const wait = (day: Day): number => 2 + day.roll(4);

/** A node loses its power: its guests stop. That of the entry takes the API with it. */
const nodeDown: Incident = day => {
  const { sim, world } = day.simulator;
  const node = oneOf(day.roll, world.nodes);
  if (!node?.online || !node.apiUp) return undefined;
  const isEntry = node === world.nodes[0];
  applyEvent(sim, { kind: 'node', action: 'node-down', node: node.name });
  return {
    text: `${node.name} loses its power`,
    minutes: wait(day),
    end: () => applyEvent(sim, { kind: 'node', action: 'node-up', node: node.name }),
    ...(isEntry
      ? lost
      : {
          log: ({ message, node: named }) =>
            message === 'Lost the cluster' || (message === 'Lost a node' && named === node.name),
          metrics: now => sumOf(now, NODES) < world.nodes.length,
        }),
  };
};

const apiRestarts: Incident = day => {
  const { sim, world } = day.simulator;
  const [entry] = world.nodes;
  if (!entry?.online || !entry.apiUp) return undefined;
  applyEvent(sim, { kind: 'node', action: 'api-down', node: entry.name });
  const end = (): void => applyEvent(sim, { kind: 'node', action: 'api-up', node: entry.name });
  return { text: 'the API restarts', minutes: 1.5, end: () => entry.online && end(), ...lost };
};

let renewals = 0;
const tokenRevoked: Incident = day => {
  const [entry] = day.simulator.world.nodes;
  const token = day.simulator.world.access.users['root@pam']?.tokens[TOKEN.id.split('!')[1] ?? ''];
  if (!token || token.value.startsWith('revoked')) return undefined;
  renewals += 1;
  token.value = `revoked-${renewals}`;
  const renew = (): void => {
    token.value = `33333333-3333-4333-8333-${String(renewals).padStart(12, '0')}`;
    day.writeSecret(token.value);
  };
  // nobody refuses a token while the API is away as well: then only the new one is seen
  let wasAway = false;
  return {
    text: 'the token is revoked, and renewed later',
    minutes: wait(day),
    end: renew,
    log: ({ message }) => message === 'Authentication failed' || (wasAway && message === 'New credentials'),
    metrics: now => {
      wasAway ||= !entry?.online || !entry.apiUp;
      return sumOf(now, CONNECTION) === 0;
    },
  };
};

/** Nobody has a majority; somebody had edited a machine before. */
const noQuorum: Incident = async day => {
  const { sim, world } = day.simulator;
  const machine = oneOf(day.roll, day.free);
  const guest = machine === undefined ? undefined : guestOf(day, machine);
  if (machine === undefined || !guest?.running || !world.cluster?.quorate) return undefined;
  const edited = { memory: '896' };
  if (!(await day.administrator('PUT', `/nodes/${guest.node}/qemu/${guest.vmid}/config`, edited)))
    return undefined;
  applyEvent(sim, { kind: 'quorum', quorate: false });
  return {
    text: `the quorum is lost after somebody edited ${machine}`,
    minutes: wait(day),
    end: () => applyEvent(sim, { kind: 'quorum', quorate: true }),
    ...broughtBack(machine, 'configure'),
    // it may have been brought back before: then the nodes are what is missed
    log: ({ message }) => /quorum|^Lost a node|^Lost the cluster/.test(message),
  };
};

const full = new WeakSet<object>();

/** A storage is full when somebody deletes a machine that has its disks there. */
const storageFull: Incident = async day => {
  const { sim, world } = day.simulator;
  const machine = oneOf(
    day.roll,
    day.wanted.filter(
      ({ id, disks }) => JSON.stringify(disks)?.includes('local-lvm') && day.free.includes(String(id)),
    ),
  );
  const id = String(machine?.['id'] ?? '');
  const guest = guestOf(day, id);
  const storage = world.storages.find(each => each.storage === 'local-lvm');
  // one at a time: its end gives back the size of its beginning
  if (!isAtPeace(day, guest) || !storage || full.has(storage)) return undefined;
  const path = `/nodes/${guest.node}/qemu/${guest.vmid}`;
  await day.administrator('POST', `${path}/status/stop`);
  if (!(await day.administrator('DELETE', path))) return undefined;
  const { total } = storage;
  const place = world.nodes.find(({ name }) => name === guest.node);
  const [entry] = world.nodes;
  const tells = fails(/local-lvm|space/);
  // nobody meets a full storage of a node that is away as well: then only the new machine is seen
  let wasAway = false;
  full.add(storage);
  applyEvent(sim, { kind: 'storage-full', storage: 'local-lvm' });
  return {
    text: `local-lvm is full, and somebody deletes ${id}`,
    machine: id,
    minutes: wait(day),
    end: () => {
      storage.total = total;
      full.delete(storage);
    },
    log: line =>
      tells.log(line) || (wasAway && line.machine === id && line.message === 'Successfully created VM'),
    metrics: (now, then) => {
      wasAway ||= !place?.online || !entry?.apiUp || !entry.online || world.cluster?.quorate === false;
      return tells.metrics(now, then);
    },
  };
};

/** The wish itself changes: a machine gets other memory. */
const newWish: Incident = day => {
  const id = oneOf(day.roll, day.free);
  if (id === undefined) return undefined;
  day.want(
    day.wanted.map(each =>
      each['id'] === id ? { ...each, memory: each['memory'] === '1Gi' ? '2Gi' : '1Gi' } : each,
    ),
  );
  return { text: `${id} shall have other memory`, ...broughtBack(id, 'configure') };
};

/** What happens to the cluster as a whole. */
export const clusterIncidents: Record<string, Incident> = {
  'node down': nodeDown,
  'API restarts': apiRestarts,
  'token revoked': tokenRevoked,
  'quorum lost': noQuorum,
  'storage full': storageFull,
  'new wish': newWish,
};
