import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree, removeTree, run } from './copied-tree';

/** A line of ours, and what is put before it. */
type Edit = readonly [before: string, added: string];
type Edits = Readonly<Record<string, Edit>>;

const FIELDS = 'test/support/spec/machine-fields.ts';
const prop = (text: string): string => `  /**
   * ${text}
   * @default - not managed
   */
`;

/** Options that Proxmox does not have: one of a disk, one of a card. What stands here is all that is written for each. */
const DISK: Edits = {
  'spec/machine/disk.ts': [
    '  serial: optional(text(/^[^\\s,=;]{1,20}$/,',
    "  lanes: optional(wholeNumber(1, 8), 'Lanes.'),\n",
  ],
  'constructs/props/disk.ts': [
    `${prop('Serial number, 1 to 20 characters.')}`,
    `${prop('Lanes.')}  readonly lanes?: number;\n`,
  ],
  'spec/values/pve-keys.ts': [
    "  serial: { field: 'serial', isPlain: true },\n",
    "  lanes: { field: 'lanes', isPlain: true },\n",
  ],
  [FIELDS]: ["  row('disks[data].serial',", "  row('disks[data].lanes', [2, 4]),\n"],
};
const CARD: Edits = {
  'spec/machine/network.ts': [
    '  linkDown: optional(',
    "  wakeOnLan: optional(z.boolean(), 'Wakes by its packet.'),\n",
  ],
  'constructs/props/network.ts': [
    `${prop('Cable unplugged.')}`,
    `${prop('Wakes by its packet.')}  readonly wakeOnLan?: boolean | IResolvable;\n`,
  ],
  'reconciler/machine/parts/networks.ts': ["  linkDown: 'link_down',\n", "  wakeOnLan: 'wake',\n"],
  [FIELDS]: ["  row('networks[lan].linkDown',", "  row('networks[lan].wakeOnLan', [true, false]),\n"],
};

/** What a plan does with the options on a guest that is there. */
const PLANS = `
import { preflight } from '../../reconciler/plan/preflight';
import { machine } from '../support/spec/machine';
import { cluster, mark, planContext, planMachine, present } from '../support/reconciler/observed';

const BASE = { scsi0: 'slow:vm-101-disk-0,size=4G', net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0' };
const SET = {
  disks: [{ name: 'root', lanes: 4 }],
  networks: [{ name: 'lan', bridge: 'vmbr0', wakeOnLan: true }],
};
const CLEARED = {
  disks: [{ name: 'root' }],
  networks: [{ name: 'lan', bridge: 'vmbr0' }],
  clear: ['disks[root].lanes', 'networks[lan].wakeOnLan'],
};
const WITH = { scsi0: BASE.scsi0.replace('size', 'lanes=4,size'), net0: BASE.net0 + ',wake=1' };

function planOn(config: Record<string, string>, fields: object) {
  const spec = machine(fields);
  const have = present(config, { mark: mark({ disks: { root: 'scsi0' }, networks: { lan: 'net0' } }) });
  const there = cluster({ caller: 'ops@pve', permissions: {} });
  const plan = planMachine(spec, have, there, planContext());
  const { refusals } = preflight({ spec, plan, have, cluster: there, context: planContext() });
  const set = plan.actions.map(action => (action.kind === 'configure' ? action.set : action.kind));
  return { set, fields: plan.changes.map(({ field }) => field), asks: refusals.map(({ detail }) => detail).join() };
}

test('the option is planned, and asks for its privileges', () => {
  const { set, fields, asks } = planOn(BASE, SET);
  expect(set).toEqual([WITH]);
  expect(fields).toEqual(['disks[root].lanes', 'networks[lan].wakeOnLan']);
  expect(asks).toContain('VM.Config.Disk');
  expect(asks).toContain('VM.Config.Network');
});
test('the option is compared', () => {
  expect(planOn(WITH, SET)).toEqual({ set: [], fields: [], asks: '' });
  const other = { ...WITH, scsi0: WITH.scsi0.replace('lanes=4', 'lanes=2') };
  expect(planOn(other, SET).set).toEqual([{ scsi0: WITH.scsi0 }]);
});
test('the option is cleared', () => expect(planOn(WITH, CLEARED).set).toEqual([BASE]));
`;

const SHOWN_BY = [
  ...['constructs/props-and-spec', 'reconciler/walk/(machine|props)', 'reconciler/planted'],
  'reconciler/machine/(every-field|convergence)',
];
/** Of these suites what concerns the new options, and that nothing is left out of a table. */
const NAMES =
  'lanes|wakeOnLan|the option|has a row|none is left out|exactly the fields|each option its default';

let tree = '';
beforeAll(() => {
  tree = copyTree('test');
  writeFileSync(join(tree, 'test/reconciler/planted.test.ts'), PLANS);
});
afterAll(() => {
  removeTree(tree);
});

function written(edits: readonly (readonly [string, Edit])[]): void {
  for (const [file, [before, added]] of edits) {
    const text = readFileSync(join(tree, file), 'utf8');
    expect([file, text.split(before).length]).toEqual([file, 2]);
    writeFileSync(
      join(tree, file),
      text.replace(before, () => added + before),
    );
  }
}

const suites = (...patterns: string[]) =>
  run(
    tree,
    process.execPath,
    join(tree, 'node_modules/jest/bin/jest.js'),
    ...['--selectProjects', 'unit', '--runInBand', '--testNamePattern', NAMES],
    ...['--testPathPatterns', ...patterns],
  );

test.each([
  ['a disk', DISK, 'spec/values'],
  ['a network card', CARD, 'reconciler/machine'],
])(
  'an option of %s is one row in spec, one prop, one row of its place and one test row',
  (_, edits, place) => {
    const rooms = Object.keys(edits).map(file => file.split('/').slice(0, 2).join('/'));
    expect(rooms).toEqual(['spec/machine', 'constructs/props', place, 'test/support']);
  },
);

test('with these files alone both options are planned, compared, cleared and need their privileges', async () => {
  const edits = [...Object.entries(DISK), ...Object.entries(CARD)];
  const isPlace = (file: string): boolean => /^(?:reconciler|spec\/values)\//.test(file);
  const rows = edits.filter(([file]) => isPlace(file));
  written(edits.filter(([file]) => !isPlace(file)));
  // without the row of its place a field that is accepted would do nothing
  const without = await suites('reconciler/planted');
  expect([without.code, without.output]).toEqual([1, expect.stringContaining('3 failed')]);
  written(rows);
  const { code, output } = await suites(...SHOWN_BY);
  expect([code, output]).toEqual([0, expect.stringMatching(/Test Suites: 6 passed, 6 total/)]);
});
