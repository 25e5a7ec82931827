/**
 * Who may look into whom. One rule a room, each an allow-list: what is not named is closed.
 * To open a door: add it to the room's list here, with the reason, and say so in docs/adr.
 */
const npm = name => `^node_modules/${name}/`;
const room = (name, why, allowed) => ({
  name: `room-${name.replace('/', '-')}`,
  comment: `${why} It may import only: itself, ${allowed.join(', ') || 'nothing else'}. Move the code, or open the door in .dependency-cruiser.cjs with a reason.`,
  severity: 'error',
  from: { path: `^${name}/` },
  to: { pathNot: [`^${name}/`, ...allowed.map(doorway)] },
});
function doorway(what) {
  if (what === 'node:') return '^(node:)?[a-z_/]+$';
  return what.endsWith('/') ? `^${what}` : npm(what);
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
    room(
      'reconciler',
      'The reconciler knows the spec and Proxmox; never cdktf, constructs or the simulator.',
      ['spec/', 'node:', 'undici', 'zod', 'commander'],
    ),
    room('reconciler/pve', 'The client knows HTTP and PVE, and nothing above it: no spec, no plan.', [
      'node:',
      'undici',
      'zod',
    ]),
    room('simulator', 'The simulator proves the reconciler, so it shares no code with it and no library.', [
      'node:',
    ]),
    room('stacks', 'Stacks are users of the constructs.', ['constructs/', 'node:', 'cdktf', 'constructs']),
    {
      name: 'planning-is-pure',
      comment:
        'A plan is a function of the spec and what was observed. Read in observe, write in apply, and pass the facts in.',
      severity: 'error',
      from: { path: '^reconciler/(plan|action|observed|placement)\\.ts$' },
      to: { path: ['^reconciler/pve/', npm('undici'), '^(node:)?(fs|net|http|https|tls)'] },
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
    {
      name: 'known-rooms-only',
      comment:
        'A new room is closed until someone opens it: add a rule for it in .dependency-cruiser.cjs, with the reason.',
      severity: 'error',
      from: {
        pathNot: '^(spec|constructs|reconciler|simulator|stacks|examples|test|bench|scripts|node_modules)/',
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|cdktf\\.out|\\.engine)/' },
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
