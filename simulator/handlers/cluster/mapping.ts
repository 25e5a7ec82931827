import { hasPrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { needQuorum } from '../../cluster/quorum';
import { changing, checkUnmodified } from '../../cluster/section-change';
import { digestOfText } from '../../cluster/section-config';
import { fail } from '../../failure';
import { findNamed, putNamed } from '../../own-keys';
import { splitList } from '../../perl-text';
import { checksOf, nodesNamedTwice } from '../../guest/devices/mapping-checks';
import type { Mapping, MappingKind, World } from '../../world';

/** What each kind is called in messages, and its options; all but `map` may be deleted. PVE: pve-guest-common, Mapping/*.pm */
const KINDS: Record<MappingKind, { noun: string; options: string[] }> = {
  dir: { noun: 'directory', options: ['description', 'map'] },
  pci: { noun: 'hardware', options: ['description', 'mdev', 'live-migration-capable', 'map'] },
  usb: { noun: 'hardware', options: ['description', 'map'] },
};
const FLAGS = ['mdev', 'live-migration-capable'];
const SEEN_WITH = ['Mapping.Modify', 'Mapping.Use', 'Mapping.Audit'];

/** Devices and directories of nodes under one name. PVE: pve-manager, API2/Cluster/Mapping/*.pm */
export const clusterMappingHandlers: HandlerTable = {
  ...handlersOf('dir'),
  ...handlersOf('pci'),
  ...handlersOf('usb'),
};

function handlersOf(kind: MappingKind): HandlerTable {
  const path = `/cluster/mapping/${kind}`;
  return {
    [`GET ${path}`]: call => listMappings(kind, call),
    [`GET ${path}/{id}`]: ({ sim: { world }, params: { id = '' } }) => {
      const mapping = findNamed(mappingsOf(world, kind), id) ?? fail(`mapping '${id}' not found`);
      return shown(world, kind, mapping);
    },
    [`POST ${path}`]: call => createMapping(kind, call),
    [`PUT ${path}/{id}`]: call => updateMapping(kind, call),
    [`DELETE ${path}/{id}`]: ({ sim: { world }, params: { id = '' } }) =>
      changing(`delete ${kind} mapping failed`, () => {
        lock(world, kind);
        delete mappingsOf(world, kind)[id];
      }),
  };
}

function mappingsOf(world: World, kind: MappingKind): Record<string, Mapping> {
  return ((world.mappings ??= {})[kind] ??= {});
}

/** Assumed: without quorum the lock of the file fails, as those of HA do. */
function lock(world: World, kind: MappingKind): void {
  needQuorum(world, `cfs-lock 'file-mapping_${kind}_cfg' error: no quorum!`);
}

function listMappings(kind: MappingKind, { sim: { world }, sim, user, node, params }: Call): unknown {
  const asked = params['check-node'];
  const checked = asked === 'localhost' ? node : asked;
  return Object.entries(mappingsOf(world, kind))
    .filter(([id]) => hasPrivileges(sim, user, `/mapping/${kind}/${id}`, SEEN_WITH, true))
    .map(([id, mapping]) => ({
      id,
      ...shown(world, kind, mapping),
      ...(checked === undefined ? {} : { checks: checksOf(world, kind, mapping, checked) }),
    }));
}

function shown(world: World, kind: MappingKind, { settings, map }: Mapping): Record<string, unknown> {
  const entries = Object.entries(settings).map(([key, value]) => [
    key,
    FLAGS.includes(key) ? Number(value) : value,
  ]);
  return { ...Object.fromEntries(entries), map, type: kind, digest: digestOf(world, kind) };
}

function digestOf(world: World, kind: MappingKind): string {
  const sections = Object.entries(mappingsOf(world, kind)).map(([id, { settings, map }]) => {
    const lines = [...Object.entries(settings), ...map.map(each => ['map', each] as const)];
    return `${id}\n${lines.map(([key, value]) => `\t${key} ${value}\n`).join('')}\n`;
  });
  return digestOfText(sections.join(''));
}

/** What was sent, judged as a section: one line each, and never without a map, also in a change. */
function checkedMapping({ params, lists }: Call, kind: MappingKind): Mapping {
  const { options } = KINDS[kind];
  const settings = Object.fromEntries(Object.entries(params).filter(([key]) => options.includes(key)));
  if (Object.values(settings).some(value => /[\n\r]/.test(value))) fail('property contains a line feed');
  const map = lists['map'] ?? fail("missing value for required option 'map'");
  const twice = kind === 'dir' ? nodesNamedTwice(map) : undefined;
  if (twice) fail(`Node '${twice.node}' is specified ${twice.times} times.`);
  return { settings, map };
}

function createMapping(kind: MappingKind, call: Call): null {
  const { world } = call.sim;
  const { id = '' } = call.params;
  const mapping = checkedMapping(call, kind);
  return changing(`create ${KINDS[kind].noun} mapping failed`, () => {
    lock(world, kind);
    if (findNamed(mappingsOf(world, kind), id)) fail(`${kind} ID '${id}' already defined`);
    putNamed(mappingsOf(world, kind), id, mapping);
  });
}

function updateMapping(kind: MappingKind, call: Call): null {
  const { world } = call.sim;
  const { id = '', digest, delete: gone } = call.params;
  return changing(`update ${KINDS[kind].noun} mapping failed`, () => {
    lock(world, kind);
    checkUnmodified(digest, digestOf(world, kind));
    const known = findNamed(mappingsOf(world, kind), id) ?? fail(`${kind} ID '${id}' does not exist`);
    const sent = checkedMapping(call, kind);
    const kept = { ...known.settings };
    for (const name of splitList(gone)) {
      if (!KINDS[kind].options.includes(name)) fail(`no such option '${name}'`);
      if (name === 'map') fail(`unable to delete required option '${name}'`);
      if (sent.settings[name] !== undefined)
        fail(`cannot set and delete property '${name}' at the same time!`);
      delete kept[name];
    }
    putNamed(mappingsOf(world, kind), id, { settings: { ...kept, ...sent.settings }, map: sent.map });
  });
}
