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

module.exports = {
  forbidden: [
    room('spec', 'Both sides of the contract import spec, so it knows nobody but zod.', ['zod']),
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
      ['spec/', 'node:', 'undici', 'zod', 'commander', 'package.json'],
    ),
    room('reconciler/pve', 'The client knows HTTP and PVE, and nothing above it: no spec, no plan.', [
      'node:',
      'undici',
      'zod',
    ]),
    // package.json: the command line prints its version.
    room('simulator', 'The simulator proves the reconciler, so it shares no code with it and no library.', [
      'node:',
      'package.json',
    ]),
    room('stacks', 'Stacks are users of the constructs.', ['constructs/', 'node:', 'cdktf', 'constructs']),
    room('examples', 'Examples are what a user would write.', [
      'constructs/',
      'spec/',
      'simulator/',
      'node:',
      'cdktf',
      'constructs',
    ]),
    {
      name: 'planning-is-pure',
      comment:
        'A plan is a function of the spec and what was observed. Read in observe, write in apply, and pass the facts in.',
      severity: 'error',
      from: { path: '^reconciler/(plan|action|observed|placement)\\.ts$' },
      to: {
        path: [
          '^reconciler/pve/',
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
      from: { path: '^reconciler/(plan|action|observed|placement)\\.ts$' },
      to: { path: ['^reconciler/pve/client', npm('undici')], reachable: true },
    },
    {
      name: 'rooms-by-their-door',
      comment: 'A room is entered by its index. Export what you need there, or move it.',
      severity: 'error',
      from: { path: '^([^/]+)/', pathNot: '^(test|bench)/' },
      to: { path: '^(spec|constructs|reconciler|simulator|stacks)/(?!index\\.ts$)', pathNot: '^$1/' },
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
    // examples/npm-package is an app of its own: it has the package installed.
    exclude: { path: '^(dist|\\.engine|\\.setup|examples/npm-package)/|(^|/)cdktf\\.out/' },
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
