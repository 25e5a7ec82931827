import type { Call, HandlerTable } from '../../cluster/call';
import { isRelease8 } from '../../cluster/release';
import type { Sim } from '../../cluster/sim';
import { fail, failParameters } from '../../failure';
import { groupsOf } from '../../ha/groups';
import { findNamed } from '../../own-keys';
import { blockingRows, motionOf } from '../../ha/affinity';
import { requestHaMigration } from '../../ha/guest-in-ha';
import { addHaResource } from '../../ha/manager';
import { leaveRules } from '../../ha/rule';
import { parseSid } from '../../ha/sid';
import { needQuorum } from '../../cluster/quorum';
import { splitList } from '../../perl-text';
import { changing, checkUnmodified } from '../../cluster/section-change';
import { digestOfSections } from '../../cluster/section-config';
import type { Config, World } from '../../world';
import type { HaResource } from '../../world-ha';

const RESOURCE = '/cluster/ha/resources/{sid}';
const OPTIONS = ['comment', 'failback', 'group', 'max_relocate', 'max_restart', 'state'];
const NUMBERS = ['failback', 'max_relocate', 'max_restart'];

export const haResourceHandlers: HandlerTable = {
  'GET /cluster/ha/resources': ({ sim, params: { type } }) =>
    Object.values(sim.world.ha.resources)
      .filter(({ sid }) => type === undefined || sid.startsWith(`${type}:`))
      .map(resource => shown(sim.world, resource)),
  [`GET ${RESOURCE}`]: call => shown(call.sim.world, findResource(call)),
  'POST /cluster/ha/resources': createResource,
  [`PUT ${RESOURCE}`]: updateResource,
  [`DELETE ${RESOURCE}`]: deleteResource,
  [`POST ${RESOURCE}/migrate`]: call => move(call, false),
  [`POST ${RESOURCE}/relocate`]: call => move(call, true),
};

function shown(world: World, { sid, state, settings }: HaResource): Record<string, unknown> {
  const entries = Object.entries(settings).map(([key, value]) => [
    key,
    NUMBERS.includes(key) ? Number(value) : value,
  ]);
  return {
    sid,
    type: sid.split(':')[0],
    ...Object.fromEntries(entries),
    ...(state !== undefined && { state }),
    digest: digestOfResources(world),
  };
}

function digestOfResources({ ha }: World): string {
  return digestOfSections(
    Object.values(ha.resources).map(({ sid, state, settings }) => {
      const [type = '', id = ''] = sid.split(':');
      return { type, id, settings: { ...settings, ...(state !== undefined && { state }) } };
    }),
  );
}

function findResource({ sim, params }: Call): HaResource {
  const { sid } = parseSid(sim, params['sid'] ?? '');
  return findNamed(sim.world.ha.resources, sid) ?? fail(`no such resource '${sid}'`);
}

function createResource({ sim, params }: Call): null {
  const { ha } = sim.world;
  refuseNewer(sim, params);
  needQuorum(sim.world);
  const { sid: given = '', type: wanted, state, ...settings } = params;
  const { sid, type, name } = parseSid(sim, given);
  if (wanted !== undefined && wanted !== type) fail('types does not match');
  checkGroup(sim.world, settings['group']);
  requireGuest(sim.world, sid, type, name);
  refuseLines(settings);
  return changing('create resource failed', () => {
    needQuorum(sim.world, "cfs-lock 'domain-ha' error: no quorum!");
    if (findNamed(ha.resources, sid)) fail(`resource ID '${sid}' already defined`);
    addHaResource(sim, { sid, settings, ...(state !== undefined && { state }) });
  });
}

const KINDS: Record<string, { type: string; text: string }> = {
  vm: { type: 'qemu', text: 'a VM' },
  ct: { type: 'lxc', text: 'a container' },
};

function requireGuest({ guests }: World, sid: string, type: string, name: string): void {
  const kind = findNamed(KINDS, type) ?? fail(`unknown section type '${type}'`);
  if (!/^[1-9][0-9]+$/.test(name)) fail('invalid VMID');
  const guest = guests[Number(name)] ?? fail(`resource '${sid}' does not exist in cluster`);
  if (guest.type !== kind.type) fail(`resource '${sid}' - guest with ID ${name} is not ${kind.text}`);
}

function refuseLines(settings: Config): void {
  if (Object.values(settings).some(value => /[\n\r]/.test(value))) fail('property contains a line feed');
}

/** PVE: pve-ha-manager, API2/HA/Resources.pm */
function checkGroup(world: World, group: string | undefined): void {
  if (group === undefined) return;
  if (!isRelease8(world)) fail("invalid parameter 'group': ha groups have been migrated to rules");
  if (!findNamed(groupsOf(world), group)) fail(`HA group '${group}' does not exist`);
}

/** What release 8 does not know is refused there as any unknown parameter. */
function refuseNewer({ world }: Sim, params: Config): void {
  const newer = ['failback', 'purge'].filter(name => params[name] !== undefined);
  if (!isRelease8(world) || newer.length === 0) return;
  const text = 'property is not defined in schema and the schema does not allow additional properties';
  failParameters(Object.fromEntries(newer.map(name => [name, text])));
}

function updateResource({ sim, params }: Call): null {
  refuseNewer(sim, params);
  const { sid: given = '', type: wanted, digest, delete: gone = '', state, ...settings } = params;
  const { sid, type } = parseSid(sim, given);
  if (wanted !== undefined && wanted !== type) fail('types does not match');
  // PVE: Perl takes 0 for nothing
  if (settings['group'] !== '0') checkGroup(sim.world, settings['group']);
  refuseInError(sim.world, sid, state);
  return changing('update resources config failed', () => {
    needQuorum(sim.world, "cfs-lock 'domain-ha' error: no quorum!");
    checkUnmodified(digest, digestOfResources(sim.world));
    const resource = findNamed(sim.world.ha.resources, sid) ?? fail(`no such resource '${sid}'`);
    refuseLines(settings);
    const names = splitList(gone);
    const unknown = names.find(name => !OPTIONS.includes(name));
    if (unknown !== undefined) fail(`no such option '${unknown}'`);
    Object.assign(resource.settings, settings);
    if (state !== undefined) resource.state = state;
    for (const name of names) {
      delete resource.settings[name];
      if (name === 'state') delete resource.state;
    }
  });
}

function refuseInError({ ha }: World, sid: string, state?: string): void {
  if (findNamed(ha.services, sid)?.state !== 'error' || state === 'disabled') return;
  fail(`service '${sid}' in error state, must be disabled and fixed first`);
}

/** Takes the resource away, and out of the rules that name it; a rule without resources goes too. */
function deleteResource({ sim, params }: Call): null {
  refuseNewer(sim, params);
  const { ha } = sim.world;
  const { sid } = parseSid(sim, params['sid'] ?? '');
  if (!findNamed(ha.resources, sid)) fail(`cannot delete service '${sid}', not HA managed!`);
  return changing('delete resource failed', () => {
    needQuorum(sim.world, "cfs-lock 'domain-ha' error: no quorum!");
    delete ha.resources[sid];
    if (params['purge'] !== '0') leaveRules(sim.world, sid);
  });
}

function move({ sim, params }: Call, relocate: boolean): Record<string, unknown> | null {
  const { sid, name } = parseSid(sim, params['sid'] ?? '');
  const { node = '' } = params;
  const resource = findNamed(sim.world.ha.resources, sid);
  if (!resource || resource.state === 'ignored') fail(`resource '${sid}' is not HA managed`);
  refuseInError(sim.world, sid);
  requestHaMigration(sim, Number(name), node, relocate);
  if (isRelease8(sim.world)) return null;
  const { along, blockedBy } = motionOf(sim.world, sid);
  const blocking = blockingRows(blockedBy(node));
  return {
    sid,
    'requested-node': node,
    ...(along.length > 0 && { 'comigrated-resources': along }),
    ...(blocking.length > 0 && { 'blocking-resources': blocking }),
  };
}
