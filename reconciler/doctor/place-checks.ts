import { hidesBridge, hidesStorage } from '../privileges/hidden';
import type { Need } from '../privileges/need';
import type { Facts } from './read-facts';
import { fault, warning, type Finding } from './finding';

/** From here on a storage counts as full, and before that as nearly full. */
const FULL = 0.98;
const NEARLY = 0.9;

/** A bridge of no name that anybody gives: whoever sees it sees all. */
const ANY = '-';

/** The names of places that somebody wrote down. */
export interface Named {
  nodes: readonly string[];
  storages: readonly string[];
  bridges: readonly string[];
}

/**
 * Where machines are to be: storages, bridges, templates, and the names of them in the desired state. `needs`: what its
 * machines ask for: a caller who needs no bridge need not see one. Pure.
 */
export function placeFindings(facts: Facts, named: Named, needs?: readonly Need[]): Finding[] {
  const wantsBridges = needs?.some(({ ways }) => ways.some(({ path }) => path.startsWith('/sdn/'))) ?? true;
  const seesBridges = !hidesBridge(ANY, facts.cluster);
  return [
    ...storages(facts),
    ...(wantsBridges || seesBridges ? bridges(facts) : []),
    ...templates(facts),
    ...absent(facts, named),
  ];
}

function storages({ storages: rows, cluster }: Facts): Finding[] {
  const online = cluster.nodes.filter(node => node.online).map(({ name }) => name);
  const off = rows.filter(({ node, status }) => online.includes(node) && status !== 'available');
  const addImages = 'Add "images" to the content of one: pvesm set STORAGE --content images,…';
  const takesDisks = rows.some(({ content = '' }) => content.split(',').includes('images'));
  return [
    ...off.map(({ storage, node }) => {
      const remedy = `Look there: pvesm status --storage ${storage}`;
      return fault('storages', `storage ${storage} is not available on node ${node}.`, remedy);
    }),
    ...rows.flatMap(({ storage, node, disk = 0, maxdisk = 0 }) => {
      const share = maxdisk === 0 ? 0 : disk / maxdisk;
      if (share < NEARLY) return [];
      const says = `storage ${storage} on node ${node} is ${Math.min(100, Math.floor(share * 100))} % full.`;
      const remedy = 'Remove what nobody needs, or grow it. A thin storage that runs full stops its guests.';
      return [share < FULL ? warning('storages', says, remedy) : fault('storages', says, remedy)];
    }),
    ...(takesDisks || rows.length === 0 ? [] : [fault('storages', 'no storage takes disks.', addImages)]),
  ];
}

function bridges({ cluster }: Facts): Finding[] {
  const online = cluster.nodes.filter(node => node.online);
  return online.flatMap(({ name, bridges: all }) => {
    if (all === undefined) return [unreadBridges(name)];
    if (all.length > 0) return [];
    const remedy = 'Make one (Node, Network), or grant SDN.Use on /sdn/zones/localnetwork.';
    return [fault('bridges', `node ${name} has no bridge that the caller may use.`, remedy)];
  });
}

// real Proxmox has the list: one without it is another server
function unreadBridges(node: string): Finding {
  return warning(
    'bridges',
    `the bridges of node ${node} could not be read: the server has no list of them.`,
    'No bridge is checked there. Proxmox VE answers GET /nodes/NODE/network: is it that which answers?',
  );
}

function templates({ cluster, storages: rows }: Facts): Finding[] {
  const isThere = cluster.guests.some(({ template, type }) => template && type === 'qemu');
  const takesImages = rows.some(({ content = '' }) => content.split(',').includes('import'));
  if (isThere || takesImages) return [];
  return [
    warning(
      'templates',
      'there is no template, and no storage takes images: only machines without a system can be made.',
      'Make a template, or add "import" to the content of a storage for image: { url, checksum }.',
    ),
  ];
}

function absent({ cluster, storages: rows }: Facts, named: Named): Finding[] {
  const there = {
    nodes: cluster.nodes.map(({ name }) => name),
    storages: rows.map(({ storage }) => storage),
    bridges: cluster.nodes.flatMap(({ bridges: all = [] }) => all),
  };
  // on a node whose bridges were not read there may be any
  const isKnown = cluster.nodes.every(({ online, bridges: all }) => !online || all !== undefined);
  const kinds = ['nodes', 'storages', ...(isKnown ? (['bridges'] as const) : [])] as const;
  // of what Proxmox would not list to the caller nobody can say that it is not there: the plans judge that
  const hidden = {
    nodes: (): boolean => false,
    storages: (name: string): boolean => hidesStorage(name, cluster),
    bridges: (name: string): boolean => hidesBridge(name, cluster),
  };
  return kinds.flatMap(kind =>
    [...new Set(named[kind])]
      .filter(name => !there[kind].includes(name) && !hidden[kind](name))
      .map(name =>
        fault(
          kind,
          `the desired state names ${name}, and the cluster has no such ${kind.slice(0, -1)} that the caller may see.`,
          `It has: ${[...new Set(there[kind])].join(', ') || 'none'}. Name one of these.`,
        ),
      ),
  );
}
