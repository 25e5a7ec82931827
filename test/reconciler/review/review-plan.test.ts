import { createHash } from 'node:crypto';
import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import { reviewHtml } from '../../../reconciler/review/page/page';
import { reviewMarkdown } from '../../../reconciler/review/markdown';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { reviewText } from '../../../reconciler/review/text';
import { titleOf } from '../../../reconciler/review/words';
import { differs, planFixture, planOf } from '../../support/review/plan-document';

const review = (text: string) => reviewPlan(text, 'plan.json');
const verdicts = (text: string) =>
  Object.fromEntries(review(text).machines.map(({ id, verdict }) => [id, verdict]));

const verdictsOf = (titles: string[], words: string) =>
  Object.fromEntries(words.split(' ').map((word, at) => [titles[at] ?? '', word]));

describe('plans of real runs', () => {
  test.each([
    ['create', { web: 'create', late: 'unknown' }],
    ['refused', { web: 'refused', late: 'destroy' }],
    ['replace', { web: 'rebuild', new: 'create', late: 'unchanged' }],
    ['target', { web: 'waits', new: 'unplanned', late: 'unplanned' }],
    ['owner', { web: 'refused', late: 'refused' }],
    ['destroy', { web: 'destroy', late: 'destroy' }],
  ])('%s', (name, want) => expect(verdicts(planFixture(name))).toEqual(want));

  test.each([
    ['refused', /The plan failed: Terraform applies nothing/],
    ['replace', /web: its registry entry is replaced \(-replace names it\): the machine is destroyed/],
    ['target', /partial, as with -target .*Left out: late, new\./],
    ['owner', /web: its owner was demo\/lab\/default, is now other/],
  ])('%s warns', (name, want) => expect(review(planFixture(name)).warnings.join('\n')).toMatch(want));

  test('what a deferred machine waits for is named', () => {
    const late = review(planFixture('create')).machines.find(({ id }) => id === 'late');
    expect(late?.notes[0]).toContain('null_resource.seed-late.id');
  });
});

describe('plans of real runs of the module', () => {
  const titles = (name: string) => {
    const made = review(planFixture(`module-${name}`));
    return Object.fromEntries(made.machines.map(one => [titleOf(one, made), one.verdict]));
  };
  const edge = 'module.edge/web (edge)';
  const lab = (...ids: string[]) => ids.map(id => `module.lab/${id}`);

  test.each([
    [
      'change',
      {
        [edge]: 'unchanged',
        ...verdictsOf(lab('web', 'old', 'new', 'late'), 'waits destroy create unknown'),
      },
    ],
    [
      'held',
      {
        [edge]: 'unchanged',
        ...verdictsOf(lab('web', 'old', 'new', 'late'), 'unknown destroy unknown unknown'),
      },
    ],
    ['owner', { [edge]: 'refused', ...verdictsOf(lab('web', 'old', 'late'), 'forget forget forget') }],
    ['destroy', { [edge]: 'destroy', ...verdictsOf(lab('web', 'old', 'late'), 'destroy destroy destroy') }],
    ['moved', { web: 'unchanged' }],
  ])('%s', (name, want) => expect(titles(name)).toEqual(want));

  test('all of them name the cluster, also those that nobody observes any more', () => {
    const { machines } = review(planFixture('module-owner'));
    expect(machines.map(({ cluster }) => cluster)).toEqual(['lab', 'lab', 'lab', 'lab']);
  });

  test.each([
    ['change', 'late', 'Its spec reads what only apply gives: null_resource.seed.id.'],
    [
      'held',
      'web',
      'The machines of module.lab are read together, and only when it is applied: one of them reads null_resource.seed.id. Name in own_observer',
    ],
    ['moved', 'web', 'It was null_resource.machines_lab["web"] before. The guest stays.'],
  ])('%s: what is said of %s', (name, id, want) => {
    const machine = review(planFixture(`module-${name}`)).machines.find(
      one => one.id === id && one.name === id,
    );
    expect(machine?.notes.join()).toContain(want);
  });

  test.each([
    ['another owner', 'module.edge/web: its owner was edge, is now other.'],
    [
      'a call that is gone',
      'module.lab/old: the call of module.lab is gone from the code, so Terraform runs no destroy',
    ],
  ])('%s is warned of', (_, want) => {
    expect(review(planFixture('module-owner')).warnings.join('\n')).toContain(want);
    expect(review(planFixture('module-destroy')).warnings).toEqual([]);
  });

  test('a call without machines is a plan of ours; a terraform_data of somebody else is none', () => {
    const { configuration } = JSON.parse(planFixture('module-change')) as { configuration: object };
    const empty = { format_version: '1.2', resource_changes: [], configuration };
    expect(reviewText(review(JSON.stringify(empty)))).toBe('No machines.');
    const theirs = ['create', 'delete'].map(action => ({
      address: 'terraform_data.machines["a"]',
      mode: 'managed',
      type: 'terraform_data',
      name: 'machines',
      index: action,
      change: {
        actions: [action],
        before: null,
        after: null,
        [action === 'create' ? 'after' : 'before']: { triggers_replace: null },
      },
    }));
    expect(review(JSON.stringify({ ...empty, resource_changes: theirs })).machines).toEqual([]);
  });
});

test('each field is told with its cost, and a restart with who does it', () => {
  const memory = { field: 'memory', from: '1Gi', to: '2Gi', effect: 'restart' };
  const plan = planOf({
    now: differs('restart', [memory], { restart: 'now' }),
    later: differs('restart', [memory], { restart: 'later' }),
    off: differs('restart', [{ field: 'power', from: 'running', to: 'stopped', effect: 'restart' }]),
    moved: differs('live', [{ field: 'node', from: 'pve1', to: 'pve2', effect: 'live' }], { node: 'pve2' }),
  });
  expect(reviewText(review(plan))).toBe(`↻ now: restarts now, VM 100 on pve1
    does: writing
    memory: 1Gi -> 2Gi (restart)
    The apply restarts it.

↓ off: stops now, VM 100 on pve1
    does: writing
    power: running -> stopped (restart)

~ later: waits for a restart, VM 100 on pve1
    does: writing
    memory: 1Gi -> 2Gi (restart)
    It is not restarted: the change waits until somebody restarts it.

~ moved: change, VM 100 from pve1 to pve2
    does: writing
    node: pve1 -> pve2 (live)

1 restarts now, 1 stops now, 1 waits for a restart, 1 change.`);
  const gate = failOnWords('restart,stop,waits');
  expect(failures(review(plan), gate)).toEqual(['restart (1)', 'stop (1)', 'waits (1)']);
});

test('a machine that is only observed is shown with its differences, one that waits with what waits', () => {
  const still = { status: 'observed', effect: 'none', diff: '' };
  const waiting = { waiting: [{ field: 'cores', from: '1', to: '2', effect: 'restart' }], restart: 'later' };
  const plan = planOf({
    seen: { ...still, drift: 'memory: 1Gi -> 2Gi' },
    same: { ...still, drift: '' },
    later: differs('none', [], { does: [], ...waiting }),
  });
  const made = review(plan);
  expect(reviewText(made)).toBe(`? seen: differs, only observed, VM 100 on pve1
    It is only observed (mode: observe). It differs: memory: 1Gi -> 2Gi

= later: unchanged, VM 100 on pve1
    cores: 1 -> 2 (restart), waits
    Terraform applies it again and finds nothing to do.
    It is not restarted: the change waits until somebody restarts it.

unchanged: same

1 differs, only observed, 2 unchanged.`);
  expect(reviewMarkdown(made)).toContain('memory: 1Gi');
  expect(reviewHtml(made)).toContain('It differs: memory: 1Gi');
  expect(failures(made, failOnWords('observed'))).toEqual(['observed (1)']);
});

test('going back to a snapshot is warned of: it loses what the disks hold since', () => {
  const back = { field: 'revertTo', from: undefined, to: 'clean', effect: 'restart' };
  const lines = { web: differs('restart', [back]), kept: differs('refused', [back]) };
  const made = review(planOf(lines));
  const warning = "web: it goes back to snapshot 'clean': what was written to its disks since is lost.";
  expect(made.warnings).toEqual([warning]);
  expect(reviewHtml(made)).toContain('goes back to snapshot');
  expect(failures(made, failOnWords('warning'))).toEqual(['warning (1)']);
});

test('--fail-on finds what it names, and knows its words', () => {
  const made = review(planFixture('replace'));
  expect(failures(made, failOnWords('destroy, rebuild,warning'))).toEqual(['rebuild (1)', 'warning (1)']);
  expect(failures(made, failOnWords('destroy'))).toEqual([]);
  expect(() => failOnWords('destory')).toThrow('Did you mean destroy?');
  for (const nothing of ['', ' ,'])
    expect(() => failOnWords(nothing)).toThrow(
      /--fail-on names nothing: .*allowed: loss, destroy, .*, warning, revert, lost-volume, lost-snapshot/,
    );
  expect(failOnWords(undefined)).toEqual([]);
});

const EVIL = `<script>alert("1")</script><img src=x onerror=alert('2')>|&\u001b[31m](http://x) @team`;

test('text of users is text in every form', () => {
  const plan = planOf({
    web: differs('live', [{ field: EVIL, from: EVIL, to: EVIL, effect: 'live' }], { node: EVIL }),
  });
  const made = review(plan);
  const html = reviewHtml({ ...made, warnings: [EVIL] });
  expect(html.match(/<script|<img|onerror=alert\('/g)).toEqual(['<script']);
  expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
  const markdown = reviewMarkdown({ ...made, warnings: [EVIL] });
  expect(markdown).not.toMatch(/<script|<img|[^\\]\]\(http|@team/);
  expect(reviewText(made)).not.toMatch(/\u001b/);
});

describe('what is no plan of ours is refused in one sentence that says what to give', () => {
  const state = JSON.stringify({ version: 4, serial: 1, lineage: 'x' });
  const foreign = JSON.stringify({ format_version: '1.2', resource_changes: [], configuration: {} });
  test.each([
    ['nothing', ' \n', 'is empty. Give the output of "terraform show -json PLAN".'],
    ['a saved plan', 'PK\u0003\u0004…', "is a saved plan in Terraform's binary form"],
    ['garbage', 'not { json', 'at its first character. Give the output of "terraform show -json PLAN".'],
    ['a list', '[]', 'is JSON, and not a plan of Terraform or OpenTofu'],
    ['the plan of another tool', '{"steps": [], "changeSummary": {}}', 'is JSON, and not a plan'],
    ['the log of a plan', '{"@level":"info"}\n{"@level":"info"}\n', 'is the log of "terraform plan -json"'],
    ['a state', state, 'is a Terraform state, not a plan'],
    ['a shown state', '{"format_version":"1.0","values":{}}', 'shows a state, not a plan'],
    ['a synthesized stack', '{"terraform":{},"resource":{}}', 'Give its folder with --spec'],
    ['a desired state', '{"owner":"o","machines":[]}', 'is a desired state, not a plan'],
    ['a stack without machines of ours', foreign, 'is a plan without a machine of cdktf-proxmox'],
    ['another format', foreign.replace('1.2', '2.0'), 'is a plan in format 2.0'],
    ['another protocol', planOf({ web: {} }, { protocol: '99' }), 'the stack speaks protocol 99'],
    ['a damaged plan', foreign.replace('[]', '[1]'), 'is a damaged plan: resource_changes.0'],
    ['another release', planOf({ web: { extra: 'x' } }), 'is of another release of cdktf-proxmox'],
  ])('%s', (_, text, want) => {
    const says = (): string => {
      try {
        review(text);
        return 'nothing';
      } catch (error) {
        return `${(error as Error).name}: ${(error as Error).message}`;
      }
    };
    expect(says()).toContain(want);
    expect(says()).toMatch(/^InputError: [^\n]+$/);
  });
});

test('the page needs no network, and lets no script run but its filter', () => {
  const html = reviewHtml(review(planFixture('create')));
  expect(html).not.toMatch(/(?:src|href)="(?!#|data:,)|url\(|@import/);
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(html) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(html).toContain(`default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}';`);
  expect(html.match(/<script/g)).toHaveLength(1);
});
