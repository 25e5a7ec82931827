import { maySeeGuests } from '../observed';
import { counted } from '../errors';
import { tagHindrances, tagRefusal } from '../privileges/tag-hindrances';
import { grantRemedy } from '../privileges/pveum-lines';
import type { Missing } from '../privileges/grants';
import { holds, meets } from '../privileges/held';
import { grantsOf, leastRole, reasonsOf } from '../privileges/least-role';
import type { Need } from '../privileges/need';
import type { Facts } from './read-facts';
import { fault, warning, type Finding } from './finding';

/** Versions that it was made for. */
const VERSIONS = { from: 8, to: 9 };
/** A time-based password is good for about as long. */
const MOST_AHEAD_S = 30;

/** What the rights are judged by. */
interface Asked {
  /** What the machines of a desired state ask for in their lives; without them it is what any machine does. */
  needs?: readonly Need[] | undefined;
  /** The name of the one role that the remedy gives. */
  role?: string | undefined;
}

/**
 * The cluster as a whole: version, clocks, quorum, nodes, what the caller may do. Pure.
 */
export function clusterFindings(
  facts: Facts,
  range: { from: number; to: number },
  asked: Asked = {},
): Finding[] {
  return [
    ...version(facts),
    ...clocks(facts),
    ...quorum(facts),
    ...nodes(facts),
    ...permissions(facts, asked),
    ...tagRules(facts),
    ...numbers(facts, range),
  ];
}

function version({ cluster }: Facts): Finding[] {
  const major = Number.parseInt(cluster.version, 10);
  if (major >= VERSIONS.from && major <= VERSIONS.to) return [];
  if (cluster.version === '')
    return [warning('version', 'The server does not tell its version.', 'Look whether it is Proxmox VE.')];
  const says = `Proxmox VE ${cluster.version} answers; this release was made for ${VERSIONS.from} and ${VERSIONS.to}.`;
  return major < VERSIONS.from
    ? [fault('version', says, 'Upgrade Proxmox VE to 8 or newer.')]
    : [warning('version', says, 'Look for a newer release of pve-reconciler.')];
}

function clocks({ clocks: all }: Facts): Finding[] {
  const wrong = all.filter(({ aheadS }) => Math.abs(aheadS) > MOST_AHEAD_S);
  return wrong.map(({ node, aheadS }) => {
    const off = `${inWords(Math.abs(aheadS))} ${aheadS > 0 ? 'ahead of' : 'behind'}`;
    const remedy = `Let both follow a time server: chronyc tracking on ${node}, and timedatectl here.`;
    return fault('clock', `the clock of node ${node} is ${off} this machine's.`, remedy);
  });
}

const UNITS = [
  [86_400, 'day', 'days'],
  [3_600, 'hour', 'hours'],
  [60, 'minute', 'minutes'],
  [1, 'second', 'seconds'],
] as const;

/** A span for people, in whole ones of its largest two units. */
function inWords(seconds: number): string {
  const first = Math.max(
    0,
    UNITS.findIndex(([size]) => seconds >= size),
  );
  let left = seconds;
  const parts = UNITS.slice(first, first + 2).flatMap(([size, one, many]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [counted(count, one, many)];
  });
  return parts.join(' and ');
}

function quorum({ cluster }: Facts): Finding[] {
  if (cluster.quorate === true) return [];
  if (cluster.quorate === undefined)
    return mayReadQuorum(cluster) ? [warning('quorum', ...QUORUM_UNTOLD)] : [];
  const remedy = 'Bring the other nodes back: pvecm status on a node says who is missing.';
  return [fault('quorum', 'the cluster has no quorum: nothing can be written.', remedy)];
}

/** Real Proxmox tells it to whoever has Sys.Audit on /; where that is missing, the permissions say so. */
function mayReadQuorum(cluster: Facts['cluster']): boolean {
  return cluster.caller === undefined || holds(cluster, { path: '/', privilege: 'Sys.Audit' });
}

const QUORUM_UNTOLD = [
  'the server does not tell whether the cluster has a quorum (GET /cluster/status): no run waits for one.',
  'Look at it before a run: pvecm status on a node. Proxmox VE answers that request: is it that which answers?',
] as const;

function nodes({ cluster }: Facts): Finding[] {
  const off = cluster.nodes.filter(({ online }) => !online);
  const held = cluster.nodes.filter(({ online, maintenance }) => online && maintenance);
  const start = 'Start it; until then nothing of its machines can be read.';
  return [
    ...off.map(({ name }) => fault('nodes', `node ${name} is down or out of reach.`, start)),
    ...held.map(({ name }) => {
      const remedy = `When it is done: ha-manager crm-command node-maintenance disable ${name}`;
      return warning('nodes', `node ${name} is in maintenance: nothing new is placed there.`, remedy);
    }),
  ];
}

function permissions({ cluster, storages }: Facts, { needs, role: named }: Asked): Finding[] {
  const { caller, rightsHidden } = cluster;
  if (rightsHidden) {
    const says = 'the user is not told what he may do (GET /access/permissions).';
    const remedy = 'Let what stands in front of Proxmox pass that request.';
    return [
      maySeeGuests(cluster) ? warning('permissions', says, remedy) : fault('permissions', says, remedy),
    ];
  }
  if (caller === undefined) {
    const says =
      'the server does not tell what the user may do (GET /access/permissions): nothing is checked.';
    return [warning('permissions', says, 'Proxmox VE answers that request: is it that which answers?')];
  }
  if (caller === 'root@pam') return [];
  const blind = [
    ...(maySeeGuests(cluster) ? [] : ['sees no guests (VM.Audit on /vms)']),
    ...(storages.length > 0 ? [] : ['sees no storages (Datastore.Audit on /storage)']),
    ...(holds(cluster, { path: '/', privilege: 'Sys.Audit' })
      ? []
      : ['cannot read the quorum (Sys.Audit on /)']),
  ];
  const { role, lacks } = needs === undefined ? ofAnyMachine(cluster) : ofThese(cluster, needs);
  if (blind.length === 0 && lacks.length === 0) return [];
  const remedy = grantRemedy(blind.length === 0 ? role : ofAnyMachine(cluster).role, {
    ...cluster,
    role: named,
  }).trimEnd();
  const says = `${caller} ${[...blind, ...lacks].join('; ')}.`;
  return [blind.length > 0 ? fault('permissions', says, remedy) : warning('permissions', says, remedy)];
}

/** What is to be given, and what lacks of it, in words. */
interface Lack {
  role: readonly Missing[];
  lacks: string[];
}

/** A privilege may be given on narrower paths than the least role for any machine has. */
function ofAnyMachine({ version, permissions: held }: Facts['cluster']): Lack {
  const role = leastRole(version.startsWith('8') ? 8 : 9);
  const anywhere = new Set(Object.values(held).flatMap(privileges => Object.keys(privileges)));
  const names = role.flatMap(({ privileges }) => privileges.filter(name => !anywhere.has(name)));
  return { role, lacks: names.length === 0 ? [] : [`holds nowhere: ${names.join(', ')}`] };
}

function ofThese(cluster: Facts['cluster'], needs: readonly Need[]): Lack {
  const lacking = needs.filter(need => !meets(cluster, need));
  const named = reasonsOf(lacking).map(({ path, text }) => `lacks on ${path}: ${text}`);
  return { role: grantsOf(lacking), lacks: named };
}

function tagRules({ cluster }: Facts): Finding[] {
  const refusal = tagRefusal('', tagHindrances('', 'pvr-aaaaaaaaaa', cluster), cluster);
  return refusal === undefined ? [] : [fault('tag rules', refusal.detail, refusal.remedy.trimEnd())];
}

function numbers({ cluster }: Facts, { from, to }: { from: number; to: number }): Finding[] {
  const taken = cluster.guests.filter(({ vmid }) => vmid >= from && vmid <= to).length;
  if (taken < to - from + 1) return [];
  const says = `all numbers from ${from} to ${to} are taken: no machine can be made.`;
  const remedy = 'Widen cluster.vmidRange, and next-id of the datacenter where that is set.';
  return [fault('numbers', says, remedy)];
}
