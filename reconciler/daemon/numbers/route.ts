/** What follows each of these in a path of Proxmox's API is a name, and stands as its kind in a route. */
const NAMES: Readonly<Record<string, string>> = {
  nodes: '{node}',
  qemu: '{vmid}',
  lxc: '{vmid}',
  storage: '{storage}',
  content: '{volume}',
  tasks: '{upid}',
  snapshot: '{snapname}',
  pools: '{poolid}',
  users: '{userid}',
  network: '{iface}',
};

/** The route of a path of Proxmox's API, without the names in it: a label that has few values. */
export function routeOf(path: string): string {
  const [parts = ''] = path.split('?');
  let before: string | undefined;
  const route = parts.split('/').map(part => {
    const name = before === undefined ? undefined : NAMES[before];
    before = name === undefined ? part : undefined;
    return name ?? part;
  });
  return route.join('/');
}
