/** The privileges of PVE 9, by area and by who has them: administrators, users, auditors; `root` stands in no role but Administrator. */
const AREAS: Record<string, { root?: string[]; admin?: string[]; user?: string[]; audit?: string[] }> = {
  VM: {
    admin: [
      'VM.Config.Disk',
      'VM.Config.CPU',
      'VM.Config.Memory',
      'VM.Config.Network',
      'VM.Config.HWType',
      'VM.Config.Options',
      'VM.Allocate',
      'VM.Clone',
      'VM.GuestAgent.Unrestricted',
      'VM.Migrate',
      'VM.Replicate',
      'VM.Snapshot',
      'VM.Snapshot.Rollback',
    ],
    user: [
      'VM.Config.CDROM',
      'VM.Config.Cloudinit',
      'VM.Console',
      'VM.Backup',
      'VM.GuestAgent.FileRead',
      'VM.GuestAgent.FileSystemMgmt',
      'VM.GuestAgent.FileWrite',
      'VM.PowerMgmt',
    ],
    audit: ['VM.Audit', 'VM.GuestAgent.Audit'],
  },
  Sys: {
    root: ['Sys.PowerMgmt', 'Sys.Modify', 'Sys.Incoming', 'Sys.AccessNetwork'],
    admin: ['Sys.Console', 'Sys.Syslog'],
    audit: ['Sys.Audit'],
  },
  Datastore: {
    admin: ['Datastore.Allocate', 'Datastore.AllocateTemplate'],
    user: ['Datastore.AllocateSpace'],
    audit: ['Datastore.Audit'],
  },
  SDN: { admin: ['SDN.Allocate', 'SDN.Audit'], user: ['SDN.Use'], audit: ['SDN.Audit'] },
  User: { root: ['Realm.Allocate'], admin: ['User.Modify', 'Group.Allocate', 'Realm.AllocateUser'] },
  Pool: { admin: ['Pool.Allocate'], user: ['Pool.Audit'], audit: ['Pool.Audit'] },
  Mapping: { admin: ['Mapping.Modify'], user: ['Mapping.Use'], audit: ['Mapping.Audit'] },
};

function collect(pick: (area: string) => string[]): string[] {
  return [...new Set(Object.keys(AREAS).flatMap(pick))].sort();
}

const admins = (area: string): string[] => [
  ...(AREAS[area]?.admin ?? []),
  ...(AREAS[area]?.user ?? []),
  ...(AREAS[area]?.audit ?? []),
];
const users = (area: string): string[] => [...(AREAS[area]?.user ?? []), ...(AREAS[area]?.audit ?? [])];

/** Every privilege that PVE 9 knows. */
export const PRIVILEGES: string[] = collect(area => [
  'Permissions.Modify',
  ...(AREAS[area]?.root ?? []),
  ...admins(area),
]);

/** The roles that always exist and cannot be changed. */
export const SPECIAL_ROLES: Record<string, string[]> = {
  Administrator: PRIVILEGES,
  NoAccess: [],
  // PVE: only Administrator and PVEMappingAdmin may change mappings
  PVEAdmin: collect(admins).filter(privilege => privilege !== 'Mapping.Modify'),
  PVEAuditor: collect(area => AREAS[area]?.audit ?? []),
  PVETemplateUser: ['VM.Audit', 'VM.Clone'],
  ...Object.fromEntries(
    Object.keys(AREAS).flatMap(area => {
      const admin: [string, string[]][] = [[`PVE${area}Admin`, [...new Set(admins(area))].sort()]];
      const hasUsers = (AREAS[area]?.user ?? []).length > 0;
      return hasUsers ? [...admin, [`PVE${area}User`, [...new Set(users(area))].sort()]] : admin;
    }),
  ),
};

/** PVE 8 had one privilege in the place of all those of the agent, and none for replication. */
const SINCE_9 = /^VM\.(?:GuestAgent\.|Replicate$)/;

/** Privileges of PVE 9 as a release has them: PVE 8 asks for VM.Monitor where a later one asks for one of the agent's. */
export function privilegesOf(release: string, privileges: readonly string[]): string[] {
  if (Number.parseInt(release, 10) >= 9) return [...privileges];
  const before = privileges.map(name =>
    name === 'VM.GuestAgent.Unrestricted' ? 'VM.Monitor' : name,
  );
  return before.filter(name => !SINCE_9.test(name));
}

/** What an endpoint asks for, in the words of a release. */
export function askedBy(release: string, privileges: readonly string[]): string[] {
  if (Number.parseInt(release, 10) >= 9) return [...privileges];
  return [...new Set(privileges.map(name => (name.startsWith('VM.GuestAgent.') ? 'VM.Monitor' : name)))];
}
