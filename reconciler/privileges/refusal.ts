import type { Refusal } from '../action';
import type { ObservedCluster } from '../observed';
import { aclLines, tokenHint, type Missing } from './acl-lines';
import type { Grant, Need } from './need';

/** One refusal that names everything the caller lacks, with the lines that give it. */
export function privilegeRefusal(
  machine: string,
  lacking: readonly Need[],
  cluster: ObservedCluster,
  placeOf: (path: string) => string,
): Refusal[] {
  const grants = lacking.flatMap(({ what, ways: [way] }) =>
    way ? [{ ...way, path: placeOf(way.path), what }] : [],
  );
  const rootOnly = [...new Set(lacking.filter(({ ways }) => ways.length === 0).map(({ what }) => what))];
  return [
    ...(grants.length === 0 ? [] : [denied(machine, grants, cluster)]),
    ...(rootOnly.length === 0 ? [] : [reserved(machine, rootOnly, cluster)]),
  ];
}

function denied(
  machine: string,
  grants: readonly (Grant & { what: string })[],
  cluster: ObservedCluster,
): Refusal {
  const { caller = '' } = cluster;
  const paths = [...new Set(grants.map(({ path }) => path))];
  const missing = paths.map((path): Missing => {
    const here = grants.filter(grant => grant.path === path);
    return { path, privileges: [...new Set(here.map(({ privilege }) => privilege))] };
  });
  const named = missing.map(({ path, privileges }) => {
    const reasons = grants.filter(grant => grant.path === path).map(({ what }) => what);
    return `${privileges.join(', ')} on ${path} (for ${[...new Set(reasons)].join(', ')})`;
  });
  return {
    machine,
    why: 'privileges',
    detail: `${caller} lacks ${named.join('; ')}.`,
    remedy: `Let an administrator run:\n${aclLines(missing, cluster).join('\n')}\n${tokenHint(caller)}`,
    changed: 'nothing',
  };
}

function reserved(machine: string, keys: readonly string[], { caller = '' }: ObservedCluster): Refusal {
  const isToken = caller.startsWith('root@pam!');
  return {
    machine,
    why: 'root-only',
    detail: `Proxmox takes ${keys.join(', ')} from root@pam in person only, and the caller is ${caller}${isToken ? ': a token of root is not root' : ''}.`,
    remedy:
      'Log in with PVE_USERNAME=root@pam and PVE_PASSWORD, or leave the field away; for a device of the host name a mapping.',
    changed: 'nothing',
  };
}
