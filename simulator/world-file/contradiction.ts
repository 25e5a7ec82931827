import { isEverywhere } from '../storage/on-node';
import type { World } from '../world';
import { SPECIAL_ROLES } from '../schema/formats/privilege-list';
import { closest } from './closest';
import { refuse } from './fields';
import { checkGuests, checkHa, checkPools } from './guest-contradiction';

/** Fails at the first thing in a world that contradicts another; a world that is returned from a load passes it. */
export function findContradiction(world: World): void {
  checkNodes(world);
  checkStorages(world);
  checkVolumes(world);
  checkGuests(world);
  checkPools(world);
  checkHa(world);
  checkAccess(world);
}

function checkNodes({ nodes }: World): void {
  unique(
    'nodes',
    'name',
    nodes.map(({ name }) => name),
  );
  unique(
    'nodes',
    'nodeid',
    nodes.map(({ nodeid }) => nodeid),
  );
}

function checkStorages({ nodes, storages }: World): void {
  unique(
    'storages',
    'storage',
    storages.map(({ storage }) => storage),
  );
  const names = nodes.map(({ name }) => name);
  storages.forEach(({ nodes: only = [] }, index) =>
    only.forEach((name, place) => known(`storages[${index}].nodes[${place}]`, name, names)),
  );
}

function checkVolumes({ nodes, storages, volumes }: World): void {
  const names = nodes.map(({ name }) => name);
  const byName = new Map(storages.map(storage => [storage.storage, storage]));
  const seen = new Set<string>();
  volumes.forEach((volume, index) => {
    const at = `volumes[${index}]`;
    const storage = byName.get(volume.storage);
    if (!storage) refuse(`${at}.volid`, volume.volid, `a storage of ${[...byName.keys()].join(', ')}`);
    if (isEverywhere(storage) && volume.node !== null) {
      refuse(`${at}.node`, volume.node, '"*", because the storage is shared');
    }
    if (!isEverywhere(storage)) known(`${at}.node`, volume.node ?? '*', names);
    const place = `${volume.node ?? '*'} ${volume.volid}`;
    if (seen.has(place)) refuse(`${at}.volid`, volume.volid, 'a volume that is not listed already');
    seen.add(place);
  });
}

function checkAccess({ access }: World): void {
  const { users, groups, realms } = access;
  for (const name of Object.keys(users)) {
    const realm = /@([^@]+)$/.exec(name)?.[1] ?? '';
    if (!(realm in realms))
      refuse(`users.${name}`, name, `USER@REALM with a realm of ${Object.keys(realms).join(', ')}`);
  }
  const roles = [...Object.keys(SPECIAL_ROLES), ...Object.keys(access.roles)];
  access.acl.forEach(({ type, ugid, roleid }, index) => {
    const at = `acl[${index}].ugid`;
    if (!roles.includes(roleid)) {
      const near = closest(roleid, roles);
      const hint =
        near === undefined ? 'a role of Proxmox or of the file' : `a role; did you mean "${near}"?`;
      refuse(`acl[${index}].roleid`, roleid, hint);
    }
    if (type === 'group') known(at, ugid, Object.keys(groups));
    const [owner = '', token] = ugid.split('!');
    if (type !== 'group') known(at, owner, Object.keys(users));
    if (token !== undefined) known(at, token, Object.keys(users[owner]?.tokens ?? {}));
  });
}

function unique(list: string, field: string, values: (string | number)[]): void {
  const index = values.findIndex((value, place) => values.indexOf(value) !== place);
  if (index >= 0) refuse(`${list}[${index}].${field}`, values[index], 'a value that no other entry has');
}

function known(at: string, value: string, allowed: string[]): void {
  if (!allowed.includes(value)) refuse(at, value, `one of ${allowed.join(', ') || '(none are defined)'}`);
}
