import { hasOneWay, hasPrivileges, requirePrivileges } from '../../access/privileges';
import { deny } from '../../failure';
import { tryPropertyString } from '../../schema/property-string';
import { perlBoolean, splitList } from '../../perl-text';
import type { Sim } from '../../cluster/sim';

/** Tags as Proxmox stores them: small letters, each once, in order; the datacenter's tag style may say otherwise. */
export function uniqueTags(sim: Sim, text: string): string {
  const style = splitStyle(sim.world.datacenter['tag-style'] ?? '');
  const caseSensitive = perlBoolean(style['case-sensitive'] ?? '0') === '1';
  const plain = splitList(text).map(tag => (caseSensitive ? tag : tag.toLowerCase()));
  const ordered = style['ordering'] === 'config' ? plain : [...plain].sort();
  return [...new Set(ordered)].join(';');
}

function splitStyle(text: string): Record<string, string> {
  return Object.fromEntries(text.split(',').map(part => part.split('=', 2)));
}

/** Fails unless the user may set and remove the tags that differ between the old and the new ones. */
export function requireTags(
  sim: Sim,
  user: string,
  vmid: number,
  pool: string | undefined,
  before: string,
  after: string,
): void {
  const privilege = 'VM.Config.Options';
  const paths = [`/vms/${vmid}`, ...(pool === undefined ? [] : [`/pool/${pool}`])];
  const ways = paths.map(path => [{ path, privilege }]);
  if (pool === undefined || !hasOneWay(sim, user, ways))
    requirePrivileges(sim, user, `/vms/${vmid}`, [privilege]);
  const old = splitList(before);
  const wanted = splitList(after);
  const count = (tags: string[], tag: string): number => tags.filter(each => each === tag).length;
  const changed = [...new Set([...old, ...wanted])].filter(tag => count(old, tag) !== count(wanted, tag));
  const mayUse = tagRules(sim, user);
  const refused = changed.find(tag => !mayUse(tag));
  if (refused !== undefined && !hasOneWay(sim, user, [[{ path: '/', privilege: 'Sys.Modify' }]]))
    deny(`/, Sys.Modify for modifying tag '${refused}'`);
}

/** The datacenter's rules for people without Sys.Modify. */
function tagRules(sim: Sim, user: string): (tag: string) => boolean {
  const { datacenter } = sim.world;
  const registered = splitList(datacenter['registered-tags'] ?? '');
  const access = tryPropertyString(
    { kind: 'property-string', properties: ACCESS },
    datacenter['user-tag-access'] ?? '',
  );
  const mode = access?.['user-allow'] ?? 'free';
  const listed = mode === 'none' ? [] : splitList(access?.['user-allow-list'] ?? '');
  const existing = mode === 'existing' ? tagsSeenBy(sim, user) : [];
  const allowed = new Set([...listed, ...existing]);
  return tag => (allowed.has(tag) || mode === 'free') && !registered.includes(tag);
}

const ACCESS = {
  'user-allow': { type: 'string', optional: true },
  'user-allow-list': { type: 'string', optional: true },
};

function tagsSeenBy(sim: Sim, user: string): string[] {
  return Object.values(sim.world.guests)
    .filter(({ vmid }) => hasPrivileges(sim, user, `/vms/${vmid}`, ['VM.Audit']))
    .flatMap(({ config }) => splitList(config['tags'] ?? ''));
}
