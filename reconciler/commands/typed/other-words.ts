/** What stands here for a verb of another program. */
export interface Other {
  /** What there is in its place. */
  says: string;
  /** The line to write: MACHINE, MACHINE… and NAME stand for what was typed, [MACHINE] may be left out. */
  write?: string;
}

const WRITTEN = 'It is written in the desired state, and reconcile does it';

const status: Other = { says: 'status tells how machines stand', write: 'status [MACHINE]' };
const whole: Other = { says: 'status -o yaml tells all of a machine', write: 'status [MACHINE] -o yaml' };
const plan: Other = { says: 'plan tells what would change', write: 'plan' };
const reconcile: Other = { says: 'reconcile brings Proxmox to the desired state', write: 'reconcile' };
const destroy: Other = {
  says: 'destroy removes machines with their disks, after asking',
  write: 'destroy MACHINE…',
};
const snapshots: Other = {
  says: 'snapshot list tells the snapshots of a machine',
  write: 'snapshot list MACHINE',
};
const revert: Other = {
  says: 'snapshot revert brings a machine back to a snapshot',
  write: 'snapshot revert MACHINE NAME',
};
const console: Other = {
  says: 'console prints the address where a browser shows its console',
  write: 'console MACHINE',
};
const daemon: Other = { says: 'run keeps machines as they are wanted, until it is stopped', write: 'run' };
const adopt: Other = { says: 'adopt takes over guests that are there', write: 'adopt --all' };
const doctor: Other = { says: 'doctor looks at the way to the cluster and at the cluster', write: 'doctor' };
const permissions: Other = { says: 'permissions prints what a token must be allowed', write: 'permissions' };
const gc: Other = { says: 'gc names what nothing asks for any more', write: 'gc' };
const owner: Other = {
  says: 'owner move gives the machines of one owner to another',
  write: 'owner move OLD NEW',
};
const schema: Other = { says: 'schema prints what a desired state may hold', write: 'schema' };
const nodes: Other = {
  says: 'status -o json tells the cluster with its nodes, doctor what is wrong with one',
  write: 'status -o json',
};
const take: Other = { says: 'snapshot create takes one', write: 'snapshot create MACHINE NAME' };
const events: Other = {
  says: 'Proxmox keeps what was done as tasks; status tells how machines stand',
  write: 'status',
};
const watch: Other = { says: 'status --watch looks again and again', write: 'status [MACHINE] --watch' };

/** No verb here makes a backup or reads one. */
const BACKUP: Other = {
  says: 'Backups are made and restored in Proxmox (vzdump, qmrestore); a snapshot is what there is here',
  write: 'snapshot list MACHINE',
};

/** A field of the spec that does it. */
function field(name: string): Other {
  return { says: `${WRITTEN}: write ${name}`, write: 'reconcile' };
}

function power(verb: string): Other {
  return { says: `power ${verb} does it, to machines of the desired state`, write: `power ${verb} MACHINE…` };
}

/** Verbs of kubectl, terraform, qm and of others like them, and what stands here in their place. */
export const OTHER_WORDS: Readonly<Record<string, Other>> = {
  // kubectl
  get: status,
  'get node': nodes,
  'get nodes': nodes,
  'get events': events,
  'describe node': nodes,
  'top node': nodes,
  'top nodes': nodes,
  'rollout restart': power('reboot'),
  'rollout undo': revert,
  describe: whole,
  diff: plan,
  delete: destroy,
  edit: { ...reconcile, says: 'Edit the file of the desired state, and reconcile brings Proxmox to it' },
  patch: { ...reconcile, says: 'Edit the file of the desired state, and reconcile brings Proxmox to it' },
  create: { ...reconcile, says: 'A machine that the desired state names is created by reconcile' },
  scale: field('one machine more, or fewer'),
  history: {
    says: 'Proxmox keeps what was done as tasks of the guest, your version control what was wanted, and snapshot list tells the snapshots',
    write: 'snapshot list MACHINE',
  },
  rollout: {
    says: 'plan tells what is still to be done, status how machines stand',
    write: 'status [MACHINE]',
  },
  rollback: revert,
  undo: revert,
  logs: { ...console, says: 'A guest keeps its own logs; console prints the address of its console' },
  exec: console,
  attach: console,
  ssh: console,
  label: field('tags or labels'),
  annotate: field('description'),
  top: { says: 'status -o wide tells more of each machine', write: 'status [MACHINE] -o wide' },
  wait: watch,
  watch,
  cordon: field('schedulable: false at the node'),
  uncordon: field('schedulable: true at the node, or nothing of it'),
  drain: field('schedulable: false at the node, and another node at its machines'),
  explain: { says: 'schema prints what may be written, plan --explain why a node is taken', write: 'schema' },
  auth: permissions,
  config: {
    says: 'The way to a cluster comes from the environment (PVE_ENDPOINT, PVE_TOKEN_ID, PVE_TOKEN_SECRET); doctor looks at it',
    write: 'doctor',
  },
  // terraform
  init: {
    says: 'Nothing is to be initialized: doctor looks whether the cluster can be reached',
    write: 'doctor',
  },
  validate: { says: 'plan checks the desired state, and tells what would change', write: 'plan' },
  show: status,
  state: {
    says: 'Proxmox is the only state: status tells it, and owner move renames an owner',
    write: 'status',
  },
  refresh: { says: 'Each run reads Proxmox anew; status tells what it finds', write: 'status [MACHINE]' },
  output: { says: 'status -o json tells the outputs of machines', write: 'status [MACHINE] -o json' },
  import: adopt,
  taint: field('rebuildOn, with the fields whose change may rebuild the machine'),
  untaint: field('rebuildOn without the field'),
  replace: field('rebuildOn, with the fields whose change may rebuild the machine'),
  workspace: owner,
  'cluster-info': doctor,
  'api-resources': schema,
  debug: console,
  cp: {
    says: 'Files reach a guest by cloudInit.userData, or over its network; console prints the address of its console',
    write: 'console MACHINE',
  },
  providers: doctor,
  login: doctor,
  fmt: schema,
  graph: plan,
  'force-unlock': {
    says: 'Nothing here keeps a lock of its own; doctor names the locks of Proxmox',
    write: 'doctor',
  },
  // qm
  'qm config': whole,
  'qm snapshot': take,
  start: power('start'),
  stop: power('stop'),
  shutdown: power('shutdown'),
  reboot: power('reboot'),
  restart: power('reboot'),
  reset: power('reset'),
  suspend: power('suspend'),
  pause: power('suspend'),
  resume: power('resume'),
  list: status,
  clone: field('a machine with image.template or image.machine'),
  set: field('the field'),
  migrate: field('node, with pin: true'),
  move: { says: `${WRITTEN}: write node with pin: true, or storage of a disk`, write: 'reconcile' },
  'move-disk': field('storage of the disk'),
  resize: field('size of the disk'),
  template: field('asTemplate: true'),
  importdisk: field('image.url or image.file'),
  delsnapshot: { says: 'snapshot delete does it, after asking', write: 'snapshot delete MACHINE NAME' },
  listsnapshot: snapshots,
  snapshots,
  terminal: console,
  vnc: console,
  monitor: console,
  agent: status,
  guest: status,
  pending: { says: 'status -o wide tells what waits for a restart', write: 'status [MACHINE] -o wide' },
  unlock: { says: 'doctor names guests with a lock, and what takes it off', write: 'doctor' },
  cloudinit: field('cloudInit'),
  showcmd: whole,
  disk: field('size or storage of the disk'),
  importovf: field('image.url or image.file'),
  vzdump: BACKUP,
  // virsh and docker
  define: { ...reconcile, says: 'A machine that the desired state names is created by reconcile' },
  undefine: destroy,
  domstate: status,
  dominfo: whole,
  dumpxml: whole,
  autostart: field('startOnBoot'),
  managedsave: power('suspend'),
  'snapshot-create': take,
  'snapshot-list': snapshots,
  'snapshot-revert': revert,
  'snapshot-delete': { says: 'snapshot delete does it, after asking', write: 'snapshot delete MACHINE NAME' },
  kill: power('stop'),
  stats: { says: 'status -o wide tells more of each machine', write: 'status [MACHINE] -o wide' },
  tag: field('tags'),
  images: field('images, or image of a machine'),
  pull: field('image.url'),
  compose: reconcile,
  // others
  backup: BACKUP,
  restore: BACKUP,
  export: { says: 'adopt prints a program for guests that are there', write: 'adopt --all' },
  events,
  snap: take,
  revert,
  ping: doctor,
  test: { says: 'plan checks the desired state, and tells what would change', write: 'plan' },
  ls: status,
  ps: status,
  info: whole,
  inspect: whole,
  health: doctor,
  check: doctor,
  up: reconcile,
  deploy: reconcile,
  sync: reconcile,
  update: reconcile,
  converge: reconcile,
  down: destroy,
  rm: destroy,
  remove: destroy,
  preview: plan,
  daemon,
  serve: daemon,
  prune: gc,
  cleanup: gc,
  rename: field('the new id, and the old one in formerIds'),
  synth: { says: 'cdktf synth writes the folder of a stack; plan tells what it would change', write: 'plan' },
};

/** Words that say of what a verb is meant to be. Here all of them are of machines. */
export const KINDS: readonly string[] = [
  ...['vm', 'vms', 'machine', 'machines', 'guest', 'guests', 'pod', 'pods', 'qemu', 'all', 'qm'],
  ...['virtualmachine', 'virtualmachines'],
];

/** Programs whose lines are typed here with their name. As the name of a machine such a word stays one. */
export const PROGRAMS: readonly string[] = ['kubectl', 'terraform', 'tofu', 'virsh', 'docker'];
