import type { HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { findNamed } from '../../own-keys';

const COMMENTS: Record<string, string> = {
  pam: 'Linux PAM standard authentication',
  pve: 'Proxmox VE authentication server',
};

export const accessDomainsHandlers: HandlerTable = {
  'GET /access/domains': ({ sim }) =>
    Object.entries(sim.world.access.realms).map(([realm, { type, default: isDefault, comment }]) => ({
      realm,
      type,
      comment: comment ?? COMMENTS[realm] ?? '',
      ...(isDefault ? { default: 1 } : {}),
    })),
  'GET /access/domains/{realm}': ({ sim, params }) => {
    const realm = findNamed(sim.world.access.realms, params['realm'] ?? '');
    if (!realm) fail(`domain '${params['realm'] ?? ''}' does not exist`);
    const { type, default: isDefault, comment } = realm;
    return {
      type,
      comment: comment ?? COMMENTS[params['realm'] ?? ''] ?? '',
      ...(isDefault ? { default: 1 } : {}),
    };
  },
};
