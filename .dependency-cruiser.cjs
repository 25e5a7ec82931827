/**
 * Who may look into whom. One rule a room, each an allow-list: what is not named is closed.
 * To open a door: add it to the room's list here, with the reason.
 */
const ROOMS = [
  'spec',
  'constructs',
  'reconciler',
  'simulator',
  'stacks',
  'examples',
  'test',
  'bench',
  'scripts',
  'review-action',
];
const npm = name => `(^|/)node_modules/${name}/`;

/** `allowed`: a room (`spec/`), a file (`package.json`), a package (`zod`), or `node:` for all of Node. */
function room(name, why, allowed) {
  const places = allowed.filter(entry => entry !== 'node:');
  return {
    name: `room-${name.replace('/', '-')}`,
    comment: `${why} It may import only: itself, ${allowed.join(', ')}. Move the code, or open the door in .dependency-cruiser.cjs with a reason.`,
    severity: 'error',
    from: { path: `^${name}/` },
    to: {
      pathNot: [`^${name}/`, ...places.map(place)],
      ...(allowed.includes('node:') ? { dependencyTypesNot: ['core'] } : {}),
    },
  };
}
function place(entry) {
  if (entry.endsWith('/')) return `^${entry}`;
  return entry === 'package.json' ? '^package\\.json$' : npm(entry);
}

/**
 * The folders of the reconciler, from the ground up: why each knows so little, and what it may import besides itself and
 * the nouns (action, event, observed, errors). No two import each other.
 */
const STAGES = {
  mark: ['The mark is text in, text out.'],
  // report: how HCL reads a text.
  module: ['The module is text made from the schemas, or from a synthesized stack.', 'report'],
  guest: ["A guest's configuration is read as Proxmox writes it.", 'pve/keys'],
  privileges: ['What an action needs follows from the action and the guest.', 'guest', 'mark', 'pve/keys'],
  machine: ['A machine is a spec beside a guest.', 'guest', 'mark', 'privileges', 'pve/keys'],
  placement: ['Placing is a function of what was observed.', 'guest', 'mark', 'privileges'],
  plan: ['A plan is made of wishes and facts.', 'guest', 'machine', 'mark', 'privileges', 'pve/keys'],
  // guest: which of qemu's words say that a guest stands still.
  observe: ['Observing reads, and knows no plan.', 'guest', 'mark', 'pve'],
  // machine, mark: whether a file that is left was made for a machine.
  images: [
    'Where the file of an image is, how it comes there, and which is left.',
    ...['guest', 'machine', 'mark', 'observe', 'placement', 'pve'],
  ],
  waits: ['A wait looks again and again, and knows no plan.', 'observe', 'pve'],
  postgres: ['PostgreSQL is spoken to in one place; it knows no machines.'],
  config: ['The configuration comes from the environment, before anything is read.', 'machine', 'pve'],
  // mark: the description of a snapshot is told without our line.
  outputs: ['Outputs are told of what was observed.', 'guest', 'machine', 'mark', 'observe', 'pve'],
  report: ['A report says what it is given.', 'mark', 'plan', 'pve'],
  // privileges: why Proxmox would not let a read happen.
  run: [
    'What the machines of one process share; it changes nothing.',
    ...['guest', 'images', 'machine', 'mark', 'observe', 'outputs', 'placement', 'plan'],
    ...['privileges', 'pve', 'waits'],
  ],
  apply: [
    'Applying does one action, or destroys one guest: it knows no machine that goes on.',
    ...['guest', 'images', 'machine', 'mark', 'observe', 'plan', 'pve', 'report', 'run', 'waits'],
  ],
  life: [
    "One machine's life: it stands above all that it reads, plans and acts with.",
    ...['apply', 'guest', 'machine', 'mark', 'observe', 'outputs', 'placement', 'plan', 'privileges'],
    ...['pve', 'report', 'run', 'waits'],
  ],
  adopt: [
    'Adopting says guests in the words of the spec, and writes their marks.',
    ...['guest', 'machine', 'mark', 'observe', 'plan', 'pve', 'report', 'run'],
  ],
  // guest: what a guest that stands still needs; waits: which task holds a lock.
  doctor: ['The doctor reads and mends nothing.', 'guest', 'mark', 'observe', 'privileges', 'pve', 'waits'],
  manifests: ['Manifests are documents in, desired states out.', 'config'],
  // run: what the surroundings of a command hand it to work with.
  input: [
    'What is given is read before anything is asked.',
    ...['config', 'manifests', 'postgres', 'report', 'run'],
  ],
  daemon: [
    'The daemon does what commands do, again and again.',
    // adopt: takes a mark off where somebody lets go of a guest. guest: how a text of a guest stands in a printed command.
    ...[
      'adopt',
      'apply',
      'config',
      'guest',
      'input',
      'life',
      'mark',
      'observe',
      'outputs',
      'postgres',
      'pve',
      'report',
    ],
    'run',
  ],
  // The daemon does the work; this room brings it what is wanted, and shows what became of it.
  kubernetes: [
    'What is wanted is read from Kubernetes, and how it stands is written there.',
    ...['config', 'daemon', 'input', 'manifests', 'mark', 'report', 'run'],
  ],
  // Above the daemon and the client of Kubernetes: neither knows whether it is watched by a lease.
  lease: [
    'A lease says who works; it knows nothing of machines.',
    ...['config', 'daemon', 'input', 'kubernetes', 'postgres', 'pve', 'report'],
  ],
  // guest: what is lost is told by one function.
  review: ['A review asks neither Proxmox nor Terraform.', 'guest', 'input', 'plan', 'report'],
};
const PURE =
  '^reconciler/((plan|machine|guest|placement|privileges|mark)/|(action|event|observed|errors)\\.ts$)';

/** What a folder of the reconciler may import of the others. */
function stage(name, why, below) {
  const own = [name, ...below].map(folder => `^reconciler/${folder}/`);
  return {
    name: `stage-${name}`,
    comment: `${why} It may import only: itself, the nouns, ${below.join(', ') || 'nothing else'}. Move the code, or open the door in .dependency-cruiser.cjs with a reason.`,
    severity: 'error',
    from: { path: `^reconciler/${name}/` },
    to: {
      path: '^reconciler/',
      pathNot: ['^reconciler/(action|event|observed|errors)\\.ts$', ...own],
    },
  };
}

module.exports = {
  forbidden: [
    room('spec', 'Both sides of the contract import spec, so it knows nobody but what reads text.', [
      'zod',
      'yaml',
    ]),
    room('constructs', 'Constructs write a spec; the reconciler is only a file they ship.', [
      'spec/',
      'node:',
      'cdktf',
      'constructs',
      '@cdktf/provider-null',
    ]),
    // package.json: the command line prints its version.
    room(
      'reconciler',
      'The reconciler knows the spec and Proxmox; never cdktf, constructs or the simulator.',
      ['spec/', 'node:', 'undici', 'zod', 'commander', 'prom-client', 'pg', 'yaml', 'package.json'],
    ),
    room(
      'reconciler/client',
      'A client starts in the time of an empty script: the program is not loaded for it.',
      ['node:'],
    ),
    room('reconciler/pve', 'The client knows HTTP and PVE, and nothing above it: no spec, no plan.', [
      'node:',
      'undici',
      'zod',
    ]),
    room('simulator', 'The simulator proves the reconciler, so it shares no code with it and no library.', [
      'node:',
    ]),
    {
      name: 'simulator-extras-by-one-file',
      comment:
        'The core of the simulator works without its extras. Only simulator/api/handlers joins them; move what both need into the core.',
      severity: 'error',
      from: { path: '^simulator/(?!extras/)', pathNot: '^simulator/api/handlers\\.ts$' },
      to: { path: '^simulator/extras/' },
    },
    room(
      'review-action',
      'It is fetched alone, without our packages; it runs the program that a user installed.',
      ['node:'],
    ),
    room('stacks', 'Stacks are users of the constructs.', ['constructs/', 'node:', 'cdktf', 'constructs']),
    room('examples', 'Examples are what a user would write.', [
      'constructs/',
      'spec/',
      'simulator/',
      'node:',
      'cdktf',
      'constructs',
    ]),
    ...Object.entries(STAGES).map(([name, [why, ...below]]) => stage(name, why, below)),
    {
      name: 'planning-is-pure',
      comment:
        'A plan is a function of the spec and what was observed. Read in observe, write in apply, and pass the facts in.',
      severity: 'error',
      from: { path: PURE },
      to: {
        path: [
          '^reconciler/pve/(?!keys/)',
          npm('undici'),
          '^(node:)?(fs|net|http|http2|https|tls|dns|child_process)(/|$)',
        ],
      },
    },
    {
      name: 'planning-is-pure-all-the-way',
      comment:
        'What planning imports must not lead to the client either. Split the file: what computes here, what sends there.',
      severity: 'error',
      from: { path: PURE },
      to: { path: ['^reconciler/pve/http/', npm('undici')], reachable: true },
    },
    {
      name: 'rooms-by-their-door',
      comment: 'A room is entered by its index. Export what you need there, or move it.',
      severity: 'error',
      // The schemas, and the page of what the simulator answers, are written from what is not of the public surface.
      from: { path: '^([^/]+)/', pathNot: '^(test|bench)/|^scripts/(schema|chart|coverage/covered)\\.ts$' },
      to: { path: '^(spec|constructs|reconciler|simulator|stacks)/(?!index\\.ts$)', pathNot: '^$1/' },
    },
    {
      name: 'null-provider-by-one-file',
      comment:
        'The package for cdktn brings a null resource of its own, in the place of one file. Import constructs/private/stack/null-provider.',
      severity: 'error',
      from: { path: '^constructs/', pathNot: '^constructs/private/stack/null-provider\\.ts$' },
      to: { path: npm('@cdktf/provider-null') },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one file, or three. Move what both need into a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...[{ orphan: true }, {}].map(kind => ({
      name: 'known-rooms-only',
      comment:
        'A new room is closed until someone opens it: add a rule for it in .dependency-cruiser.cjs, with the reason.',
      severity: 'error',
      from: { ...kind, path: '/', pathNot: `(^(${ROOMS.join('|')})|(^|/)node_modules)/` },
      to: {},
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // npm-package is an app of its own: it imports the package, as its users do. site and simulator/clients have packages of their own.
    exclude: {
      path: '^(dist|\\.engine|\\.setup|site|examples/npm-package|simulator/(dist|clients))/|(^|/)cdktf\\.out/',
    },
    // Leave tsConfig unset: with it the bare import 'constructs' resolves to our folder.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
