/** Why a run makes each request, for people. Sorted as a run makes them, as far as that can be. */
export const CALL_REASONS: Readonly<Record<string, string>> = {
  'GET /version': 'which privileges there are, and what Proxmox takes',
  'GET /access/permissions': 'what the caller may do, before anything is written',
  'GET /cluster/options': 'the range of ids and the rules for tags',
  'GET /cluster/status': 'the quorum: without it Proxmox does a deletion or a resize by halves',
  'GET /cluster/resources':
    'where the guests are and which ids are free; once more after a creation, for rivals',
  'GET /cluster/tasks': 'which nodes to ask what is at work: one request for all of them',
  'GET /nodes/{node}/qemu': 'true names, locks and power: the listing of the cluster lags by ten seconds',
  'GET /nodes/{node}/tasks': 'what is at work already, and is waited for',
  'GET /nodes/{node}/network': 'the bridges of a node that a machine may go to, or starts on',
  'GET /nodes/{node}/storage': 'the storages of a node that a machine may go to, or starts on',
  'GET /nodes/{node}/storage/{storage}/content':
    'the volumes that are attached as they are, that hinder, or that a restart needs',
  'GET /cluster/mapping/pci': 'whether a PCI device is mapped on the node where a machine starts again',
  'GET /cluster/mapping/usb': 'whether a USB device is mapped on the node where a machine starts again',
  'GET /nodes/{node}/qemu/{vmid}/pending':
    'the configuration: whose guest it is and what differs; again directly before what Proxmox compares no digest of',
  'GET /nodes/{node}/qemu/{vmid}/config': 'the configuration, from a server that does not tell what waits',
  'GET /nodes/{node}/qemu/{vmid}/status/current': 'locks and power, where they are waited for or told',
  'GET /nodes/{node}/qemu/{vmid}/agent/network-get-interfaces': 'the addresses that the guest agent tells',
  'GET /nodes/{node}/qemu/{vmid}/agent/file-read': 'whether cloud-init is done, where a machine waits for it',
  'GET /nodes/{node}/certificates/info':
    'which Proxmox answers, for machines of a Kubernetes: again directly before each write',
  'GET /nodes/{node}/time': 'the clock of a node, for the doctor',
  'GET /nodes/{node}/qemu/{vmid}/snapshot': 'the snapshots, which hold volumes',
  'GET /nodes/{node}/qemu/{vmid}/snapshot/{snapname}/config': 'the volumes that a snapshot holds',
  'PUT /nodes/{node}/qemu/{vmid}/snapshot/{snapname}/config': 'the description of a snapshot, with our mark',
  'POST /nodes/{node}/qemu/{vmid}/snapshot': 'takes a snapshot',
  'DELETE /nodes/{node}/qemu/{vmid}/snapshot/{snapname}': 'deletes a snapshot of ours',
  'POST /nodes/{node}/qemu/{vmid}/snapshot/{snapname}/rollback': 'brings the guest back to a snapshot',
  'GET /nodes/{node}/qemu/{vmid}/feature': 'whether the storages can take a snapshot',
  'GET /nodes/{node}/qemu/{vmid}/migrate': 'whether the guest can move, and what hinders it',
  'GET /nodes/{node}/tasks/{upid}/status': 'whether a task has ended: a poll',
  'GET /nodes/{node}/tasks/{upid}/log':
    'why a task failed, which guest a copy makes, or how much of it is done',
  'GET /pools': 'whether the pool is there',
  'PUT /pools': 'the pool of the machine',
  'GET /cluster/ha/resources/{sid}': 'what HA is told of the machine',
  'POST /cluster/ha/resources': 'gives the machine to HA',
  'PUT /cluster/ha/resources/{sid}': 'tells HA something else of the machine',
  'DELETE /cluster/ha/resources/{sid}': 'takes the machine out of HA',
  'GET /cluster/ha/rules': 'which rules of HA name a machine that moves, leaves HA or is made anew',
  'GET /cluster/ha/groups/{group}': 'the nodes of the HA group of a machine that moves',
  'GET /cluster/backup': 'the backup jobs that a machine leaves which is made anew',
  'GET /cluster/replication': 'the replication jobs that go with it',
  'GET /access/acl': 'the rights on it that go with it',
  'GET /nodes/{node}/qemu/{vmid}/firewall/rules': 'how many rules of its firewall go with it',
  'GET /nodes/{node}/qemu/{vmid}/firewall/aliases': 'how many aliases of its firewall go with it',
  'GET /nodes/{node}/qemu/{vmid}/firewall/ipset': 'how many IP sets of its firewall go with it',
  'GET /nodes/{node}/qemu/{vmid}/firewall/options': 'which options of its firewall go with it',
  'GET /nodes/{node}/query-url-metadata': 'how long an image is before it is downloaded',
  'POST /nodes/{node}/storage/{storage}/download-url': 'downloads an image',
  'POST /nodes/{node}/storage/{storage}/upload': 'uploads an image, or cloud-init data',
  'DELETE /nodes/{node}/storage/{storage}/content/{volume}': 'removes an image or cloud-init data of ours',
  'POST /nodes/{node}/qemu': 'makes the guest from nothing',
  'POST /nodes/{node}/qemu/{vmid}/clone': 'makes the guest from its template',
  'POST /nodes/{node}/qemu/{vmid}/template': 'makes a template of the guest, for good',
  'PUT /nodes/{node}/qemu/{vmid}/config': 'writes what Proxmox does at once, and our mark',
  'POST /nodes/{node}/qemu/{vmid}/config': 'writes what may take Proxmox longer',
  'PUT /nodes/{node}/qemu/{vmid}/resize': 'makes a disk larger',
  'POST /nodes/{node}/qemu/{vmid}/move_disk': 'moves a disk to another storage',
  'PUT /nodes/{node}/qemu/{vmid}/cloudinit': 'makes the cloud-init drive anew',
  'POST /nodes/{node}/qemu/{vmid}/migrate': 'moves the guest to its node',
  'POST /nodes/{node}/qemu/{vmid}/status/start': 'starts the guest',
  'POST /nodes/{node}/qemu/{vmid}/status/shutdown': 'shuts the guest down',
  'POST /nodes/{node}/qemu/{vmid}/status/stop': 'stops a guest that is to be deleted',
  'POST /nodes/{node}/qemu/{vmid}/status/reboot': 'restarts the guest, as asked',
  'POST /nodes/{node}/qemu/{vmid}/status/reset': 'resets the guest, as asked',
  'POST /nodes/{node}/qemu/{vmid}/status/suspend': 'pauses the guest, as asked',
  'POST /nodes/{node}/qemu/{vmid}/status/resume': 'lets the guest go on, as asked',
  'DELETE /nodes/{node}/qemu/{vmid}': 'deletes the guest with its disks',
  'POST /access/ticket': 'logs in',
};

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
  resources: '{sid}',
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
