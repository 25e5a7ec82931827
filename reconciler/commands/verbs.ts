import { DAY2_VERBS } from './day2/day2-verbs';
import { DESIRED, type Verb } from './verb';

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
    flags: [...DESIRED, 'source', 'check', 'explain', 'explainCalls', 'json', 'quiet'],
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
    flags: [...DESIRED, 'source', 'explainCalls', 'json', 'quiet'],
    load: async () => (await import('./reconcile.js')).reconcile,
  },
  {
    name: 'run',
    says: 'Keeps Proxmox as the desired state says, until it is stopped: the daemon.',
    examples: [
      'pve-reconciler run --manifests /etc/pve-reconciler/machines',
      'RECONCILE_INTERVAL=1m LOG_FORMAT=json pve-reconciler run --spec desired.yaml --prune',
    ],
    flags: [...DESIRED, 'source', 'prune', 'quiet'],
    // to be stopped is how a daemon ends; a later one completes what Proxmox still does
    interrupted: { code: 0, withinMs: 25_000, logs: true },
    load: async () => (await import('../daemon/daemon.js')).runDaemon,
  },
  {
    name: 'gc',
    says: 'Names the guests of your owners that the desired state asks for no more, and files that nothing uses; removes them with --yes, after asking.',
    examples: [
      'pve-reconciler gc --spec desired.yaml',
      'pve-reconciler gc --manifests ./machines --yes',
      'pve-reconciler gc --manifests ./machines --yes --count 3',
    ],
    flags: [...DESIRED, 'source', 'others', 'withKeptVolumes', 'destroys', 'count', 'json', 'quiet'],
    load: async () => (await import('./day2/gc.js')).gc,
  },
  {
    name: 'status',
    words: '[machine]',
    machines: 1,
    says: 'Tells how machines stand: phase, place, addresses, what waits for a restart.',
    examples: [
      'pve-reconciler status --spec desired.json',
      'pve-reconciler status web --spec desired.json -o yaml',
      'pve-reconciler status --spec desired.json --watch',
    ],
    flags: [...DESIRED, 'output', 'watch', 'explainCalls', 'json', 'quiet'],
    load: async () => (await import('./status.js')).status,
  },
  {
    name: 'snapshot',
    words: '<subcommand> <machine> [name]',
    first: {
      list: 'Lists its snapshots. Changes nothing.',
      create: 'Takes a snapshot of this name; the rest of the machine stays as it is.',
      revert:
        'Goes back to a snapshot, after asking: what its disks got since is lost. Then the machine is brought to its spec.',
      delete: 'Deletes a snapshot, after asking. One that the spec wants is taken anew by the next run.',
    },
    machines: 1,
    wordsSay: ['list, create, revert or delete', 'the machine', 'the snapshot; list takes none'],
    says: 'Lists the snapshots of a machine, takes or deletes one, or brings the machine back to one.',
    examples: [
      'pve-reconciler snapshot list web --spec desired.json',
      'pve-reconciler snapshot create web before-upgrade --memory --spec desired.json',
      'pve-reconciler snapshot revert web before-upgrade --spec desired.json',
      'pve-reconciler snapshot delete web before-upgrade --yes --spec desired.json',
    ],
    flags: [...DESIRED, 'description', 'memory', 'yes', 'listing', 'json', 'quiet'],
    load: async () => (await import('./snapshot/snapshot.js')).snapshot,
  },
  ...DAY2_VERBS,
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
    flags: [...DESIRED, 'lacking'],
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
    instead: 'Terraform calls apply. By hand write: pve-reconciler reconcile --spec FILE',
    flags: ['explainCalls', 'json', 'quiet'],
    load: async () => (await import('./apply.js')).apply,
  },
  {
    name: 'destroy',
    words: '[machines...]',
    machines: Infinity,
    wordsSay: 'machines of the desired state, or that left it',
    says: 'Destroys machines with their disks, after asking. Without words Terraform calls it for the machine that PROXMOX_OWNER and PROXMOX_MACHINE name.',
    examples: [
      'pve-reconciler destroy web --spec desired.json',
      'pve-reconciler destroy web db --spec desired.json --yes',
      'PROXMOX_OWNER=… PROXMOX_MACHINE=web pve-reconciler destroy',
    ],
    flags: [...DESIRED, 'withKeptVolumes', 'yes', 'explainCalls', 'json', 'quiet'],
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
  {
    name: 'completion',
    words: '<shell>',
    wordsSay: 'bash, zsh or fish; machines: the names that the script asks for',
    first: {
      bash: 'Prints the script of bash.',
      zsh: 'Prints the script of zsh.',
      fish: 'Prints the script of fish.',
    },
    says: 'Prints the script by which a shell completes verbs, subcommands, flags and machines. Asks nobody.',
    examples: [
      'source <(pve-reconciler completion bash)',
      'source <(pve-reconciler completion zsh)',
      'pve-reconciler completion fish | source',
    ],
    flags: ['spec', 'manifests', 'secrets'],
    load: async () => (await import('./day2/completion.js')).completionOf(VERBS),
  },
];
