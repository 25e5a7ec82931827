import { readFileSync } from 'node:fs';
import type { World } from './world';

/** Reads a world file. Fails with the file's name and what is wrong in it. */
export function readWorldFile(path: string): World {
  return loadPlain(JSON.parse(readFileSync(path, 'utf8')));
}

function loadPlain(json: any): World {
  const users: World['access']['users'] = {};
  for (const [userid, user] of Object.entries<any>(json.users ?? {}))
    users[userid] = {
      enable: user.enable !== 0,
      ...(user.password ? { password: user.password } : {}),
      tokens: {},
    };
  for (const [id, token] of Object.entries<any>(json.tokens ?? {})) {
    const [owner = '', tokenid = ''] = id.split('!');
    users[owner]!.tokens[tokenid] = { value: token.value, privsep: token.privsep === 1 };
  }
  return {
    version: json.version,
    cluster: json.cluster ?? null,
    nodes: json.nodes.map((node: any) => ({
      ip: `192.0.2.${node.nodeid}`,
      online: true,
      apiUp: true,
      cpus: 2,
      memory: 8 * 1024 ** 3,
      bootedAt: 1_699_000_000,
      name: node.name,
      nodeid: node.nodeid,
      bridges: node.bridges,
    })),
    storages: json.storages.map((s: any) => ({
      ...s,
      shared: s.shared === 1,
      enabled: true,
      total: s.total ?? 500 * 1024 ** 3,
    })),
    volumes: json.volumes.map((v: any) => {
      const [storage, rest = ''] = v.volid.split(':');
      const content = rest.split('/')[0];
      return {
        volid: v.volid,
        storage,
        node: v.node === '*' ? null : v.node,
        content,
        format: content === 'iso' ? 'iso' : content === 'snippets' ? 'snippet' : 'qcow2',
        size: v.size,
        ctime: 1_699_000_000,
        ...(v.filesize ? { filesize: v.filesize } : {}),
        ...(v.text ? { text: v.text } : {}),
      };
    }),
    guests: {},
    pools: {},
    access: {
      realms: Object.fromEntries(
        Object.entries<any>(json.realms).map(([id, r]) => [
          id,
          { type: r.type, ...(r.default ? { default: true } : {}) },
        ]),
      ),
      users,
      groups: {},
      roles: Object.fromEntries(
        Object.entries<any>(json.roles ?? {}).map(([id, privs]) => [id, privs.split(',')]),
      ),
      acl: (json.acl ?? []).map((entry: any) => ({
        path: entry.path,
        type: entry.ugid.includes('!') ? 'token' : 'user',
        ugid: entry.ugid,
        roleid: entry.roleid,
        propagate: entry.propagate === 1,
      })),
    },
    ha: { resources: {}, rules: {} },
    firewall: {},
    datacenter: json.datacenter_cfg ?? {},
  };
}
