/** A machine made from nothing, off, with one disk: what a test needs that is about something else. */
export const blankMachine = {
  id: 'web',
  node: 'pve1',
  image: { blank: true },
  memory: '1Gi',
  power: 'stopped',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
};
