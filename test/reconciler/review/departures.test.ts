import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import { reviewMarkdown } from '../../../reconciler/review/markdown';
import { reviewHtml } from '../../../reconciler/review/page/page';
import { reviewText } from '../../../reconciler/review/text';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { differs, planFixture, planOf, type PlanOptions } from '../../support/review/plan-document';

/** The verdict on a machine whose entry a plan treats like this, and what is warned of. */
function reviewed(options: PlanOptions): string {
  const { machines, warnings } = reviewPlan(planOf({ web: {} }, options), 'plan.json');
  return [...machines.map(({ verdict }) => verdict), ...warnings].join(' | ');
}

const GONE = ['delete'];
const REPLACED = ['delete', 'create'];

// What Terraform 1.11 did with each of these was tried; OpenTofu's own reasons are from its plan package.
describe('what becomes of a machine is what Terraform runs, whatever reason it gives', () => {
  test.each<[string, PlanOptions, RegExp]>([
    ['', { actions: GONE }, /^destroy$/],
    ['delete_because_each_key', { actions: GONE }, /^destroy$/],
    ['delete_because_count_index', { actions: GONE }, /^destroy$/],
    ['delete_because_wrong_repetition', { actions: GONE }, /^destroy$/],
    ['delete_because_no_module', { actions: GONE }, /^destroy$/],
    ['delete_because_enabled_false', { actions: GONE }, /^destroy$/],
    ['delete_because_no_resource_config', { actions: GONE, written: 'removed' }, /^destroy$/],
    ['', { actions: GONE, written: 'removed' }, /^destroy$/],
    [
      'delete_because_no_resource_config',
      { actions: GONE, written: 'nothing' },
      /^forget \| web: its cluster is gone .* the machine stays.* To destroy it with its disks, put a RemovedCluster in its place/,
    ],
    ['', { actions: GONE, written: 'nothing' }, /^forget \| web: its cluster is gone .* the machine stays/],
    ['delete_because_no_move_target', { actions: GONE, written: 'nothing' }, /^forget \| .*stays/],
    ['', { actions: GONE, tainted: true }, /^forget \| .*tainted.*stays.*untaint 'null_resource\.machines/],
    [
      'delete_because_no_resource_config',
      { actions: GONE, written: 'removed', tainted: true },
      /^forget \| .*tainted.*stays/,
    ],
    [
      'delete_because_no_resource_config',
      { actions: ['forget'], written: 'nothing' },
      /^forget \| .*tells Terraform to forget it: the machine stays/,
    ],
    ['forgot_because_lifecycle_destroy_in_state', { actions: ['forget'] }, /^forget \| .*stays/],
    ['forgot_because_lifecycle_destroy_in_config', { actions: ['forget'] }, /^forget \| .*stays/],
    [
      'forgot_because_lifecycle_destroy_in_config',
      { actions: ['forget', 'create'] },
      /^refused \| .*refused/,
    ],
    [
      'replace_by_request',
      { actions: REPLACED },
      /^rebuild \| .*-replace names it.*made again\. No plan looks at the image/,
    ],
    ['replace_by_triggers', { actions: REPLACED }, /^rebuild \| .*replace_triggered_by/],
    ['replace_because_cannot_update', { actions: REPLACED }, /^rebuild \| .*changed by hand/],
    [
      'replace_because_tainted',
      { actions: REPLACED, tainted: true },
      /^refused \| .*tainted.*refused.*untaint/,
    ],
    ['replace_by_request', { actions: ['create', 'delete'] }, /^refused \| .*create_before_destroy.*refused/],
    ['replace_by_triggers', { actions: ['create', 'delete'] }, /^refused \| .*create_before_destroy/],
    ['a reason of a release to come', { actions: GONE }, /^destroy$/],
    ['a reason of a release to come', { actions: REPLACED }, /^rebuild \| .*Terraform replaces it/],
  ])('%s %j', (reason, options, want) => {
    expect(reviewed({ ...options, reason })).toMatch(want);
  });

  test('a line about a machine and a warning about it never say the opposite', () => {
    const written = ['cluster', 'removed', 'nothing'] as const;
    const actions = [
      ['delete'],
      ['forget'],
      ['delete', 'create'],
      ['create', 'delete'],
      ['forget', 'create'],
    ];
    const all = written.flatMap(code =>
      actions.flatMap(act => [true, false].map(tainted => ({ written: code, actions: act, tainted }))),
    );
    for (const options of all) {
      const told = reviewed(options);
      expect(/^(?:destroy|rebuild)/.test(told) && told.includes('stays')).toBe(false);
      expect(/^(?:forget|refused)/.test(told) && told.includes('is destroyed')).toBe(false);
    }
  });
});

const NOTHING_LOST = { volumes: [], snapshots: [] };

describe('what a destroy takes is told, and a destroy that will be refused is refused before anything', () => {
  const GIB = 1024 ** 3;
  const guest = (machine: string, more: object = {}) => ({
    ...{
      machine,
      entry: `entry-${machine}`,
      node: 'pve2',
      vmid: 101,
      disks: { root: 10 * GIB, data: 32 * GIB },
    },
    ...more,
  });
  const told = (guests: object[], options: PlanOptions = {}) =>
    reviewPlan(
      planOf({ web: {}, db: {} }, { actions: GONE, held: { guests, unread: 0 }, ...options }),
      'plan.json',
    );

  test('place, disks, and the sum of what is lost', () => {
    const { machines, lost } = told([guest('web'), guest('db', { vmid: 102 })]);
    expect(machines[1]).toMatchObject({ id: 'web', verdict: 'destroy', disks: { data: 32 * GIB } });
    expect(lost).toEqual({ bytes: 84 * GIB, unknown: 0, volumes: 4, snapshots: 0 });
  });

  test('volumes and snapshots are named and counted, and --fail-on has words for them', () => {
    const volumes = [
      { slot: 'scsi0', volume: 'fast:vm-101-disk-0', kind: 'disk', disk: 'root', bytes: 10 * GIB },
      { slot: 'ide2', volume: 'fast:vm-101-cloudinit', kind: 'cloud-init' },
      { slot: 'unused0', volume: 'fast:vm-101-disk-7', kind: 'unused', kept: true },
    ];
    const losses = { volumes, snapshots: [{ name: 'by-hand', memory: true }] };
    const review = told([guest('web', { losses }), guest('db', { vmid: 102, losses: NOTHING_LOST })]);
    expect(review.lost).toEqual({ bytes: 10 * GIB, unknown: 0, volumes: 2, snapshots: 1 });
    for (const form of [reviewText, reviewMarkdown, reviewHtml]) {
      expect(form(review)).toContain('Lost: 10 GiB of disks, 2 volumes, 1 snapshot.');
      expect(form(review)).toContain('fast:vm-101-disk-7 that was kept');
      expect(form(review)).toContain('by-hand with its memory');
      expect(form(review)).not.toContain('cloudinit');
    }
    const words = failOnWords('lost-volume,lost-snapshot');
    expect(failures(review, words)).toEqual(['lost-volume (2)', 'lost-snapshot (1)']);
    const nothing = told([guest('web', { losses: NOTHING_LOST }), guest('db', { losses: NOTHING_LOST })]);
    expect(failures(nothing, words)).toEqual([]);
  });

  test('what keeps a kept volume from going is told with the ways out', () => {
    const stays = 'guest 101 on pve2 holds a volume that was kept: unused0 x. Give it to another guest.';
    const { machines } = told([guest('web', { stays }), guest('db')]);
    expect(machines.find(({ id }) => id === 'web')).toMatchObject({
      verdict: 'refused',
      notes: [`Its destroy is refused: ${stays}`],
    });
  });

  test('a protected machine is refused, and the warning names whom Terraform destroys beside it', () => {
    const { machines, warnings } = told([guest('web'), guest('db', { stays: 'it is protected.' })]);
    expect(machines.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['web destroy', 'db refused']);
    expect(machines[1]?.notes[0]).toMatch(/^Its destroy is refused: it is protected\. Set its protection/);
    expect(warnings).toEqual([
      'The apply will fail: it refuses to destroy db. Terraform destroys others before it fails: web.',
    ]);
  });

  test.each<[string, object, string, RegExp]>([
    [
      'of an image stays',
      { clones: [103], isOfImage: true },
      'forget',
      /linked clones of it: 103\. So it stays/,
    ],
    [
      'that a machine is is refused',
      { clones: [103] },
      'refused',
      /template, and .* of it: 103\. Remove those/,
    ],
    ['whose clones all leave goes', { clones: [102], isOfImage: true }, 'destroy', /^$/],
  ])('a template %s', (_, fields, verdict, says) => {
    const { machines } = told([guest('web', fields), guest('db', { vmid: 102 })]);
    const web = machines.find(({ id }) => id === 'web');
    expect(web).toMatchObject({ verdict });
    expect(web?.notes.join()).toMatch(says);
  });

  test('a template that a removed block lets go is told as such, whatever clones it has', () => {
    const { machines } = told([guest('web', { clones: [103] }), guest('db')], { actions: ['forget'] });
    expect(machines[0]).toMatchObject({ verdict: 'forget' });
    expect(machines[0]?.notes.join()).not.toContain('template of an image');
  });

  test('a template stays for a clone that is protected, also where both leave', () => {
    const held = [guest('web', { clones: [102] }), guest('db', { vmid: 102, stays: 'it is protected.' })];
    expect(told(held).machines.map(({ verdict }) => verdict)).toEqual(['refused', 'refused']);
  });

  test('one that is protected is not made anew either, and the other goes and is not made again', () => {
    const { totals } = told([guest('web', { stays: 'it is protected.' }), guest('db')], {
      actions: REPLACED,
    });
    expect(totals).toEqual({ refused: 1, destroy: 1 });
  });

  test('Terraform makes no revision before every leaving entry is destroyed: so nobody else is reached', () => {
    const machines = {
      ...{ web: {}, calm: {}, db: {}, anew: {} },
      one: { ...differs('create', []), status: 'absent' },
      live: differs('restart', [{ field: 'memory', from: '1', to: '2', effect: 'restart' }], {
        restart: 'now',
      }),
    };
    const entries = { web: GONE, db: GONE, one: ['create'], anew: REPLACED };
    const held = {
      guests: [guest('web'), guest('anew'), guest('db', { stays: 'it is protected.' })],
      unread: 0,
    };
    const review = reviewPlan(planOf(machines, { entries, held }), 'plan.json');
    expect(Object.fromEntries(review.machines.map(({ id, verdict }) => [id, verdict]))).toEqual({
      ...{ web: 'destroy', db: 'refused', anew: 'destroy' },
      ...{ one: 'unreached', live: 'unreached', calm: 'unreached' },
    });
    expect(review.machines.find(({ id }) => id === 'live')).toMatchObject({
      ...{ changes: [], does: [] },
      notes: ['The apply fails at the destroy of db before it comes to this machine: nothing is done to it.'],
    });
    expect(review.warnings).toEqual([
      'The apply will fail: it refuses to destroy db. Terraform destroys others before it fails: anew, web. Not reached, so nothing is done to them: calm, live, one.',
      'anew: its registry entry is replaced (Terraform replaces it): the machine is destroyed, with its disks, and not made again.',
    ]);
    expect(review.lost.bytes).toBe(84 * GIB);
  });

  test('where nobody looked, that is said, and what its last spec says of protection', () => {
    const { machines, lost } = told([], { held: { guests: [], unread: 300 }, spec: { protection: true } });
    expect(machines[0]?.notes).toEqual([
      expect.stringContaining('its disks are not known: 300 guests of the cluster were not looked at'),
      expect.stringContaining('It was protected when it was last applied'),
    ]);
    expect(lost).toEqual({ bytes: 0, unknown: 2, volumes: 0, snapshots: 0 });
  });

  test.each<[string, NonNullable<PlanOptions['observer']>, RegExp]>([
    ['an observer that waits for the apply', 'late', /its cluster is read only when the plan is applied/],
    [
      'no observer',
      'none',
      /the plan holds no reading of its cluster.*\(-target, -refresh=false\)\. To see what goes, plan /,
    ],
    ['an observer of an earlier release', 'done', /the release that made the plan tells nothing of guests/],
  ])('why nobody looked is told as it is: %s', (_, observer, says) => {
    const { machines } = reviewPlan(planOf({ web: {} }, { actions: GONE, observer }), 'plan.json');
    expect(machines[0]?.notes[0]).toMatch(says);
  });

  test('one whose mark names no entry is left alone, as the apply does, and a new entry takes it as it is', () => {
    const unheld = [guest('web', { entry: undefined }), guest('db')];
    const left = told(unheld);
    expect(left.totals).toEqual({ destroy: 1, forget: 1 });
    expect(left.machines.find(({ id }) => id === 'web')?.notes.join()).toMatch(
      /names no registry entry.*the destroy leaves it alone\. To destroy it: pve-reconciler destroy or gc/,
    );
    expect(left.lost.volumes).toBe(2);
    const replaced = told(unheld, { actions: REPLACED });
    expect(replaced.totals).toEqual({ rebuild: 1, unchanged: 1 });
    expect(replaced.warnings.join()).not.toMatch(/web: .*destroyed/);
    expect(told(unheld, { actions: ['no-op'] }).totals).toEqual({ unchanged: 2 });
  });

  test('one that another registry entry holds is left alone; a new entry for it is refused, with the remedy', () => {
    const other = [guest('web', { entry: 'theirs' }), guest('db')];
    expect(told(other).totals).toEqual({ destroy: 1, forget: 1 });
    const refused = told(other, { actions: ['create'] });
    expect(refused.totals).toEqual({ refused: 1, unchanged: 1 });
    expect(refused.machines.flatMap(({ notes }) => notes).join()).toMatch(
      /release the machine first.*adopt it/,
    );
  });
});

test('what a replacement left behind is no machine of its own', () => {
  const plan = JSON.parse(planOf({ web: {} })) as { resource_changes: object[] };
  const [entry] = plan.resource_changes;
  const deposed = { ...entry, deposed: '1a2b3c4d', change: { actions: ['delete'], before: {}, after: null } };
  const told = reviewPlan(
    JSON.stringify({ ...plan, resource_changes: [...plan.resource_changes, deposed] }),
    '',
  );
  expect(told.machines.map(({ verdict }) => verdict)).toEqual(['unchanged']);
});

test('a plan after a broken-off destroy is whole: what is gone is not left out', () => {
  const plan = JSON.parse(planFixture('destroy')) as {
    resource_changes: { address: string }[];
    prior_state: { values: { root_module: { resources: { address: string }[] } } };
  };
  const isGone = ({ address }: { address: string }): boolean => /machines?_lab\W*late/.test(address);
  plan.resource_changes = plan.resource_changes.filter(change => !isGone(change));
  const state = plan.prior_state.values.root_module;
  state.resources = state.resources.filter(resource => !isGone(resource));
  const { machines, warnings } = reviewPlan(JSON.stringify(plan), 'plan.json');
  expect(machines.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['web destroy']);
  expect(warnings).toEqual([]);
});

// Terraform 1.11 ended the plan and the apply of this one with "Error: Cycle", and did nothing.
describe('a machine that leaves beside one that create_before_destroy has spread to', () => {
  const PLAN = planFixture('spread-and-leaves');
  const warned = (text: string) =>
    reviewPlan(text, 'plan.json').warnings.filter(line => line.includes('Cycle'));

  test('may end in a cycle, and the warning says how to avoid it', () => {
    expect(warned(PLAN)).toEqual([
      'The apply may fail before it does anything, with "Error: Cycle": gone leaves while create_before_destroy has spread to web. Apply first only that gone leaves, without other changes.',
    ]);
  });

  test.each([
    ['nothing has spread', PLAN.replaceAll(/"create",\s*"delete"/g, '"delete", "create"')],
    ['nothing leaves', PLAN.replaceAll(/\[\s*"delete"\s*\]/g, '["no-op"]')],
  ])('is not warned of where %s', (_, text) => {
    expect(text).not.toBe(PLAN);
    expect(warned(text)).toEqual([]);
  });
});
