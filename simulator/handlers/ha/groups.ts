import { isRelease8 } from '../../cluster/release';
import { needQuorum } from '../../cluster/quorum';
import { changing, checkUnmodified } from '../../cluster/section-change';
import { digestOfSections } from '../../cluster/section-config';
import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { groupsOf, nodesOfGroup } from '../../ha/groups';
import { findNamed, putNamed } from '../../own-keys';
import { splitList } from '../../perl-text';
import type { Config, World } from '../../world';

const GROUP = '/cluster/ha/groups/{group}';
const FLAGS = ['nofailback', 'restricted'];
const OPTIONS: Record<string, boolean> = { nodes: false, comment: true, nofailback: true, restricted: true };

/** The groups of release 8. Release 9 has migrated them to rules, and says so (recording d0, step 31). */
export const haGroupHandlers: HandlerTable = {
  'GET /cluster/ha/groups': unlessMigrated('index groups', ({ sim }) =>
    Object.entries(groupsOf(sim.world)).map(([id, settings]) => shown(sim.world, id, settings)),
  ),
  'POST /cluster/ha/groups': unlessMigrated('create group', createGroup),
  [`GET ${GROUP}`]: unlessMigrated('read group', ({ sim, params: { group: id = '' } }) => {
    const settings = findNamed(groupsOf(sim.world), id) ?? fail(`no such ha group '${id}'`);
    return shown(sim.world, id, settings);
  }),
  [`PUT ${GROUP}`]: unlessMigrated('update group', updateGroup),
  [`DELETE ${GROUP}`]: unlessMigrated('delete group', deleteGroup),
};

function unlessMigrated(what: string, handler: (call: Call) => unknown): (call: Call) => unknown {
  return call =>
    isRelease8(call.sim.world)
      ? handler(call)
      : fail(`cannot ${what}: ha groups have been migrated to rules`);
}

function digestOfGroups(world: World): string {
  return digestOfSections(
    Object.entries(groupsOf(world)).map(([id, settings]) => ({ id, type: 'group', settings })),
  );
}

function shown(world: World, group: string, settings: Config): Record<string, unknown> {
  const entries = Object.entries(settings).map(([key, value]) => [
    key,
    FLAGS.includes(key) ? Number(value) : value,
  ]);
  return { group, type: 'group', ...Object.fromEntries(entries), digest: digestOfGroups(world) };
}

const settingsOf = ({ nodes, ...rest }: Config): Config => ({
  ...rest,
  ...(nodes !== undefined && { nodes: nodesOfGroup(nodes) }),
});

function createGroup({ sim, params }: Call): null {
  needQuorum(sim.world);
  const { group = '', type: _type, ...settings } = params;
  return changing('create ha group failed', () => {
    const groups = (sim.world.ha.groups ??= {});
    if (findNamed(groups, group)) fail(`ha group ID '${group}' already defined`);
    putNamed(groups, group, settingsOf(settings));
  });
}

function updateGroup({ sim, params }: Call): null {
  const { group = '', type: _type, digest, delete: gone, ...settings } = params;
  return changing('update ha group failed', () => {
    needQuorum(sim.world, "cfs-lock 'domain-ha' error: no quorum!");
    checkUnmodified(digest, digestOfGroups(sim.world));
    const known = findNamed(groupsOf(sim.world), group) ?? fail(`no such ha group '${group}'`);
    const changed = { ...known, ...settingsOf(settings) };
    for (const name of splitList(gone)) {
      const mayGo = findNamed(OPTIONS, name);
      if (mayGo === undefined) fail(`no such option '${name}'`);
      if (!mayGo) fail(`unable to delete required option '${name}'`);
      delete changed[name];
    }
    putNamed(groupsOf(sim.world), group, changed);
  });
}

function deleteGroup({ sim, params: { group = '' } }: Call): null {
  const { ha } = sim.world;
  return changing('delete ha group failed', () => {
    needQuorum(sim.world, "cfs-lock 'domain-ha' error: no quorum!");
    const user = Object.values(ha.resources).find(({ settings }) => settings['group'] === group);
    if (user) fail(`ha group is used by service '${user.sid}'`);
    delete groupsOf(sim.world)[group];
  });
}
