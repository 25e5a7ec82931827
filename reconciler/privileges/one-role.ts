import { InputError } from '../errors';
import type { Caller, Missing, RoleGrant } from './grants';
import { heldOn } from './held';

/**
 * Everything that is missing in one role of a given name, on `/`. A path on which the caller has other rights than from
 * above has rules of its own, which take the place of those on `/`: the role is given there too, with what they hold.
 */
export function inOneRole(missing: readonly Missing[], role: string, { permissions }: Caller): RoleGrant[] {
  const above = privilegesOn('/', permissions);
  const ruled = missing.filter(({ path }) => path !== '/' && privilegesOn(path, permissions) !== above);
  const kept = ruled.flatMap(({ path }) => Object.keys(heldOn(permissions, path)));
  const all = [...new Set([...missing.flatMap(({ privileges }) => privileges), ...kept])].sort();
  return ['/', ...ruled.map(({ path }) => path)].map(path => ({ path, role, all }));
}

/** What counts on a path, or below `/` when nothing else does, as one text. */
function privilegesOn(path: string, permissions: Caller['permissions']): string {
  const held = heldOn(permissions, path);
  return Object.keys(held)
    .filter(name => path !== '/' || held[name] === 1)
    .sort()
    .join();
}

/** The lines that make the role what it is to be: one that is there keeps what it has. */
export function roleLines({ role, all }: RoleGrant): string[] {
  return [
    `  pveum role add ${role}    # says so where it is there, which does no harm`,
    `  pveum role modify ${role} --append 1 --privs ${all.join(',')}`,
  ];
}

/** The name of a role, as Proxmox takes it; throws for any other. Undefined: none is asked for. */
export function roleNamed(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (
    /^[A-Za-z0-9._-]+$/.test(name) &&
    !/^PVE/i.test(name) &&
    name !== 'Administrator' &&
    name !== 'NoAccess'
  )
    return name;
  throw new InputError(
    `--role: ${JSON.stringify(name)} is no name for a role of yours: allowed are letters, digits and . _ -, and not "PVE" at the beginning, which Proxmox keeps for its own.`,
  );
}
