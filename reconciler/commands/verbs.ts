import type { Command } from '../input/surroundings';

/** One verb of the command line. */
export interface Verb {
  name: string;
  /** The words that may follow it, with blanks between. */
  words?: string;
  wordsSay?: string;
  says: string;
  examples: string[];
  flags: (keyof typeof FLAGS)[];
  /** Loaded when it is run: a run that fails early pays for nothing else. */
  load: () => Promise<Command>;
}

/** The flags that verbs may have. */
export const FLAGS = {
  spec: [
    '--spec <file>',
    'desired state as JSON or YAML, or the folder of a synthesized stack; - reads stdin; may be repeated',
  ],
  manifests: [
    '--manifests <place>',
    "manifests of Kubernetes' shape: a file, or a folder of them; - reads stdin; may be repeated",
  ],
  owner: ['--owner <name>', 'the first part of the owner of what manifests want; without it "manifests"'],
  secrets: ['--secrets <folder>', 'where Secrets that manifests name are mounted: <folder>/<name>/<key>'],
  check: ['--check', 'exit 4 when something would change'],
  lacking: ['--check', 'print only what the caller lacks, and exit 3 when that is anything'],
  explain: ['--explain', 'say of each node why it is taken for a machine or not; reads all nodes'],
  explainCalls: ['--explain-calls', 'say at the end which requests were made, how often and why'],
  output: ['-o, --output <form>', 'table, wide, json or yaml'],
  format: ['--format <form>', 'text, markdown, json or html'],
  failOn: [
    '--fail-on <words>',
    'exit 5 for these, with commas between: destroy, rebuild, refused, unreached, forget, restart, unknown, change, adopt, create, unplanned, warning',
  ],
  commit: [
    '--commit <id>',
    'the commit that the review names; without it GITHUB_SHA or CI_COMMIT_SHA, where one is set',
  ],
  description: ['--description <text>', 'what the snapshot is, for people'],
  memory: ['--memory', 'with the memory of a machine that runs'],
  json: ['--json', 'results and events as JSON'],
  prune: [
    '--prune',
    'destroy machines that left the desired state, unless a Terraform state holds them; without it they are only told',
  ],
  force: ['--force', 'overwrite files that others wrote'],
  all: ['--all', 'all of the cluster'],
  pool: ['--pool <name>', 'all of this pool'],
  tag: ['--tag <tag>', 'all that carry this tag'],
  node: ['--node <name>', 'all on this node'],
  newOwner: ['--owner <name>', 'who owns the machines; without it "adopted"'],
  cluster: [
    '--cluster <name>',
    'what the cluster is called; it selects environment variables. Without it PROXMOX_DEFAULT_CLUSTER, else "proxmox"',
  ],
  form: ['--form <form>', 'typescript, hcl, yaml or json; without it typescript'],
  out: ['--out <file>', 'where the program is written; without it stdout'],
  yes: ['-y, --yes', 'do not ask'],
  quiet: ['-q, --quiet', 'only warnings and errors'],
} as const;

const MANIFESTS = ['manifests', 'owner', 'secrets'] as const;
const FOR_TERRAFORM = 'Called by Terraform. ';

export const VERBS: Verb[] = [
  {
    name: 'plan',
    says: 'Tells what would change, machine by machine. Changes nothing.',
    examples: [
      'pve-reconciler plan --spec desired.json',
      'pve-reconciler plan --spec desired.json --check --quiet',
      'pve-reconciler plan --spec desired.json --explain',
    ],
    flags: ['spec', ...MANIFESTS, 'check', 'explain', 'explainCalls', 'json', 'quiet'],
    load: async () => (await import('./plan.js')).plan,
  },
  {
    name: 'reconcile',
    says: 'Brings Proxmox to the desired state, once.',
    examples: [
      'pve-reconciler reconcile --spec desired.json',
      'pve-reconciler reconcile --manifests ./machines',
      'generate-desired-state | pve-reconciler reconcile --spec - --json',
    ],
    flags: ['spec', ...MANIFESTS, 'explainCalls', 'json', 'quiet'],
    load: async () => (await import('./reconcile.js')).reconcile,
  },
  {
    name: 'run',
    says: 'Keeps Proxmox as the desired state says, until it is stopped: the daemon.',
    examples: [
      'pve-reconciler run --manifests /etc/pve-reconciler/machines',
      'RECONCILE_INTERVAL=1m LOG_FORMAT=json pve-reconciler run --spec desired.yaml --prune',
    ],
    flags: ['spec', ...MANIFESTS, 'prune', 'quiet'],
    load: async () => (await import('./run.js')).run,
  },
  {
    name: 'gc',
    says: 'Names the guests of your owners that the desired state asks for no more; removes them with --yes.',
    examples: ['pve-reconciler gc --spec desired.yaml', 'pve-reconciler gc --manifests ./machines --yes'],
    flags: ['spec', ...MANIFESTS, 'yes', 'json', 'quiet'],
    load: async () => (await import('./day2/gc.js')).gc,
  },
  {
    name: 'status',
    words: '[machine]',
    says: 'Tells how machines stand: phase, place, addresses, what waits for a restart.',
    examples: [
      'pve-reconciler status --spec desired.json',
      'pve-reconciler status web --spec desired.json -o yaml',
    ],
    flags: ['spec', ...MANIFESTS, 'output', 'explainCalls', 'json', 'quiet'],
    load: async () => (await import('./status.js')).status,
  },
  {
    name: 'snapshot',
    words: '<deed> <machine> [name]',
    wordsSay: 'list, create, revert or delete, then the machine, then the snapshot',
    says: 'Lists the snapshots of a machine, takes or deletes one, or brings the machine back to one.',
    examples: [
      'pve-reconciler snapshot list web --spec desired.json',
      'pve-reconciler snapshot create web before-upgrade --memory --spec desired.json',
      'pve-reconciler snapshot revert web before-upgrade --spec desired.json',
      'pve-reconciler snapshot delete web before-upgrade --yes --spec desired.json',
    ],
    flags: ['spec', ...MANIFESTS, 'description', 'memory', 'yes', 'output', 'json', 'quiet'],
    load: async () => (await import('./snapshot/snapshot.js')).snapshot,
  },
  {
    name: 'review',
    words: '[plan]',
    wordsSay: 'the output of terraform show -json, or stdin',
    says: 'Tells what a plan of Terraform does to each machine, or what the folder of a stack wants.',
    examples: [
      'terraform show -json plan.out | pve-reconciler review',
      'pve-reconciler review plan.json --format html > review.html',
      'pve-reconciler review plan.json --format markdown --fail-on destroy,rebuild,restart',
      'pve-reconciler review --spec cdktf.out/stacks/web',
    ],
    flags: ['spec', 'format', 'failOn', 'commit', 'json'],
    load: async () => (await import('./review.js')).review,
  },
  {
    name: 'adopt',
    words: '[vmids...]',
    wordsSay: 'the numbers of the guests',
    says: 'Prints a program for guests that are there, and marks them as its machines once it may. Changes nothing else.',
    examples: [
      'pve-reconciler adopt 100 101',
      'pve-reconciler adopt --all --form hcl --owner web-team --out machines.tf',
      'pve-reconciler adopt --pool prod --owner web/lab/default --yes --out main.ts',
    ],
    flags: [
      ...(['all', 'pool', 'tag', 'node', 'newOwner', 'cluster', 'form'] as const),
      ...(['out', 'force', 'yes', 'json', 'quiet'] as const),
    ],
    load: async () => (await import('./adopt/adopt.js')).adopt,
  },
  {
    name: 'permissions',
    says: 'Prints what a token must be allowed to do, as lines of pveum. Changes nothing.',
    examples: [
      'pve-reconciler permissions',
      'pve-reconciler permissions --spec desired.json',
      'pve-reconciler permissions --spec desired.json --check',
    ],
    flags: ['spec', ...MANIFESTS, 'lacking'],
    load: async () => (await import('./permissions.js')).permissions,
  },
  {
    name: 'owner',
    words: '[words...]',
    wordsSay: 'move OLD NEW',
    says: 'Gives the machines of one owner to another, after a stack or a workspace was renamed.',
    examples: [
      'pve-reconciler owner move web/lab/default shop/lab/default',
      'pve-reconciler owner move old new --yes',
    ],
    flags: ['cluster', 'yes', 'json', 'quiet'],
    load: async () => (await import('./adopt/owner.js')).owner,
  },
  {
    name: 'observe',
    says: `${FOR_TERRAFORM}Reads a query on stdin, tells how each machine stands on stdout. Changes nothing.`,
    examples: ['pve-reconciler observe < query.json'],
    flags: ['explainCalls', 'json', 'quiet'],
    load: async () => (await import('./observe/observe.js')).observe,
  },
  {
    name: 'apply',
    says: `${FOR_TERRAFORM}Brings the machine of PROXMOX_SPEC to its spec.`,
    examples: ['PROXMOX_MACHINE=web PROXMOX_SPEC=… pve-reconciler apply'],
    flags: ['explainCalls', 'json', 'quiet'],
    load: async () => (await import('./apply.js')).apply,
  },
  {
    name: 'destroy',
    says: `${FOR_TERRAFORM}Removes the machine that PROXMOX_OWNER and PROXMOX_MACHINE name.`,
    examples: ['PROXMOX_OWNER=… PROXMOX_MACHINE=web pve-reconciler destroy'],
    flags: ['explainCalls', 'json', 'quiet'],
    load: async () => (await import('./destroy.js')).destroy,
  },
  {
    name: 'facts',
    says: `${FOR_TERRAFORM}Reads a query on stdin, tells the outputs of a machine or of the cluster on stdout.`,
    examples: ['pve-reconciler facts < query.json'],
    flags: ['explainCalls', 'json'],
    load: async () => (await import('./facts.js')).facts,
  },
  {
    name: 'module',
    words: '<folder>',
    wordsSay: 'where it is written',
    says: 'Writes a Terraform module into a folder: machines without TypeScript.',
    examples: ['pve-reconciler module ./modules/proxmox', 'pve-reconciler module ./modules/proxmox --force'],
    flags: ['force', 'json', 'quiet'],
    load: async () => (await import('./module.js')).writeModule,
  },
];
