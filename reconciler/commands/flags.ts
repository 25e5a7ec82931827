import { FORMS, LIST_FORMS } from '../report/forms';
import { GATE_WORDS } from '../review/fail-on';

/** The flags that verbs may have. */
export const FLAGS = {
  spec: [
    '--spec <file>',
    'desired state as JSON or YAML, the folder of a synthesized stack, or an address such as postgres://pve@db.example.com/pve where put stored one; - reads stdin; may be repeated',
  ],
  stackFolder: ['--spec <folder>', 'the folder of a synthesized stack, in place of a plan; may be repeated'],
  manifests: [
    '--manifests <place>',
    "manifests of Kubernetes' shape: a file, a folder of them, or an address such as postgres://pve@db.example.com/pve; - reads stdin; may be repeated",
  ],
  owner: ['--owner <name>', 'the first part of the owner of what manifests want; without it "manifests"'],
  secrets: ['--secrets <folder>', 'where Secrets that manifests name are mounted: <folder>/<name>/<key>'],
  kubernetes: [
    '--kubernetes',
    'read what is wanted from the resources of a Kubernetes, in place of files: KUBECONFIG names it, else the pod that this runs in',
  ],
  namespace: ['--namespace <name>', 'with --kubernetes: only this namespace; without it all'],
  clusterNamespace: [
    '--cluster-namespace <name>',
    'with --kubernetes: all namespaces may use the clusters of this one; without it each uses its own only',
  ],
  lease: [
    '--lease <where>',
    'several hosts take turns. An address such as postgres://pve@db.example.com/pve: they share the clusters of the files; "kubernetes": one of them works',
  ],
  allClusters: [
    '--all',
    'with --lease: which host keeps which cluster, and which clusters are late; asks PostgreSQL only',
  ],
  leaseName: [
    '--lease-name <name>',
    'with --lease: hosts with the same name take turns; without it pve-reconciler',
  ],
  source: [
    '--source <name>',
    'the name of this source, which machines remember: one source never prunes what another wrote. Without it PVE_SOURCE, else the last two names of the place',
  ],
  count: [
    '--count <number>',
    'with --yes: destroy without asking, where there are exactly so many machines to destroy',
  ],
  check: ['--check', 'exit 4 when something would change'],
  role: [
    '--role <name>',
    'print lines of pveum with one role of this name, given on /, in place of a role for each path',
  ],
  lacking: ['--check', 'print only what the caller lacks, and exit 3 when that is anything'],
  explain: ['--explain', 'say of each node why it is taken for a machine or not; reads all nodes'],
  explainCalls: ['--explain-calls', 'say at the end which requests were made, how often and why'],
  output: ['-o, --output <form>', FORMS.join(', ')],
  listing: ['-o, --output <form>', LIST_FORMS.join(', ')],
  format: ['--format <form>', 'text, markdown, json or html'],
  failOn: ['--fail-on <words>', `exit 5 for these, with commas between: ${GATE_WORDS.join(', ')}`],
  commit: [
    '--commit <id>',
    'the commit that the review names; without it GITHUB_SHA or CI_COMMIT_SHA, where one is set',
  ],
  description: ['--description <text>', 'of create: what the snapshot is, for people'],
  memory: ['--memory', 'of create: with the memory of a machine that runs'],
  watch: ['--watch', 'look again every 2 s and redraw, until Ctrl-C; on a terminal only'],
  why: ['--why <text>', 'why it is stored, for people: the history tells it'],
  after: [
    '--after <number>',
    'the version that this text was made from: nothing is stored where the newest is another one; 0: none was there',
  ],
  version: ['--version <number>', 'this version; without it the newest'],
  history: ['--history', 'tell who stored which version, when and why, newest first'],
  json: ['--json', 'results and events as JSON'],
  prune: [
    '--prune',
    'destroy machines that left the desired state, unless a Terraform state holds them; without it they are only told',
  ],
  force: ['--force', 'overwrite files that others wrote'],
  all: ['--all', 'all of the cluster'],
  others: ['--all', 'name the guests of other owners too; they are never removed'],
  pool: ['--pool <name>', 'all of this pool'],
  tag: ['--tag <tag>', 'all that carry this tag'],
  node: ['--node <name>', 'all on this node'],
  newOwner: [
    '--owner <name>',
    'who owns the machines; without it "adopted" is printed, and --yes is refused',
  ],
  ofOwner: ['--owner <name>', 'whose machines; without it the owners that are there are named'],
  cluster: [
    '--cluster <name>',
    'what the cluster is called; it selects environment variables. Without it PROXMOX_DEFAULT_CLUSTER, else "proxmox"',
  ],
  form: ['--form <form>', 'typescript, hcl, yaml or json; without it typescript'],
  out: [
    '--out <file>',
    'where the program is written; without it stdout. A folder, such as machines/, gets a file for each group of machines',
  ],
  fromStack: [
    '--from <folder>',
    'the folder of a synthesized stack, which is written as HCL whose first plan changes nothing',
  ],
  outFolder: [
    '--out <folder>',
    'with --from: where the HCL is written; without it a folder with the name of the stack',
  ],
  fromState: [
    '--from-state <file>',
    "the guests that this state of Terraform, OpenTofu or Pulumi holds, made by other providers; '-' for stdin",
  ],
  forget: [
    '--forget <file>',
    'with --from-state: where the blocks are written by which Terraform lets go of them without a destroy',
  ],
  releases: [
    '--releases <file>',
    'the list of releases and their SHA-256; without it the releases.json of the package that this program is in',
  ],
  yes: ['-y, --yes', 'do not ask'],
  destroys: [
    '-y, --yes',
    'destroy what is left. It asks first, with every machine and file; --count N answers in its place',
  ],
  withKeptVolumes: ['--with-kept-volumes', 'also where volumes that were kept go with a machine'],
  quiet: ['-q, --quiet', 'only warnings and errors'],
} as const;
