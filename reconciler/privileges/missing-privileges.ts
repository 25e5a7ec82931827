import { untouched, type Refusal } from '../action';
import type { ObservedCluster } from '../observed';
import { grantRemedy } from './pveum-lines';
import { meets } from './held';
import { rootOnlyOf, type Grant, type Need } from './need';

/**
 * One refusal that names everything of these that the caller lacks, with the lines that give it; none: he lacks nothing.
 * A 403 comes here too where the run had not read the cluster: it does then, and plans again (life/after-failure.ts).
 */
export function privilegeRefusal(
  machine: string,
  needs: readonly Need[],
  cluster: ObservedCluster,
  placeOf = (path: string): string => path,
): Refusal[] {
  const lacking = needs.filter(need => !meets(cluster, need));
  const grants = lacking.flatMap(({ what, ways: [way] }) =>
    way ? [{ ...way, path: placeOf(way.path), what }] : [],
  );
  const rootOnly = rootOnlyOf(lacking);
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
  const missing = paths.map(path => {
    const here = grants.filter(grant => grant.path === path);
    const reasons = [...new Set(here.map(({ what }) => what))];
    return { path, privileges: [...new Set(here.map(({ privilege }) => privilege))], reasons };
  });
  const named = missing.map(({ path, privileges, reasons }) => {
    return `${privileges.join(', ')} on ${path} (for ${reasons.join(', ')})`;
  });
  const lacks = `${caller} lacks ${named.join('; ')}.`;
  return { machine, ...untouched('privileges', lacks, grantRemedy(missing, cluster)) };
}

function reserved(machine: string, keys: readonly string[], { caller = '' }: ObservedCluster): Refusal {
  const but = caller.startsWith('root@pam!') ? ': a token of root is not root' : '';
  const detail = `Proxmox takes ${keys.join(', ')} from root@pam in person only, and the caller is ${caller}${but}.`;
  const remedy =
    'Log in with PVE_USERNAME=root@pam and PVE_PASSWORD, or remove the field; for a device of the host name a mapping.';
  return { machine, ...untouched('root-only', detail, remedy) };
}
