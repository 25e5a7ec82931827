import { hasPrivileges } from '../../access/privileges';
import type { Call, HandlerTable } from '../../cluster/call';
import { needQuorum } from '../../cluster/quorum';
import { splitList } from '../../perl-text';
import { parsePropertyString } from '../../schema/property-string';
import { datacenterFormat, shownOptions } from '../../cluster/datacenter-options';
import { guestVisibility } from '../../views/visible-guests';

export const clusterOptionsHandlers: HandlerTable = {
  'GET /cluster/options': call => {
    const { sim, user } = call;
    const all = shownOptions(sim.world.datacenter);
    const shown = hasPrivileges(sim, user, '/', ['Sys.Audit']) ? all : pick(all, ['console', 'tag-style']);
    return { ...shown, 'allowed-tags': allowedTags(call) };
  },
  'PUT /cluster/options': ({ sim, params }) => {
    needQuorum(sim.world, "cfs-lock 'file-datacenter_cfg' error: no quorum!");
    const { delete: gone = '', ...set } = params;
    Object.assign(sim.world.datacenter, set);
    for (const name of splitList(gone)) delete sim.world.datacenter[name];
    return null;
  },
};

function pick(values: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** The tags that this user may give: by the datacenter's rule those in use, those listed, and for Sys.Modify all. */
function allowedTags({ sim, user }: Call): string[] {
  const { datacenter, guests } = sim.world;
  const mayAll = hasPrivileges(sim, user, '/', ['Sys.Modify']);
  const format = datacenterFormat('user-tag-access');
  const text = datacenter['user-tag-access'];
  const rule = format && text !== undefined ? parsePropertyString(format, text) : {};
  const mode = rule['user-allow'] ?? 'free';
  const tags = new Set<string>();
  if (mayAll) splitList(datacenter['registered-tags'] ?? '').forEach(tag => tags.add(tag));
  if (mayAll || mode !== 'none') splitList(rule['user-allow-list'] ?? '').forEach(tag => tags.add(tag));
  if (mayAll || mode === 'free' || mode === 'existing') {
    const isVisible = guestVisibility(sim, user);
    for (const { vmid, config } of Object.values(guests)) {
      if (isVisible(vmid)) splitList(config['tags'] ?? '').forEach(tag => tags.add(tag));
    }
  }
  return [...tags].sort();
}
