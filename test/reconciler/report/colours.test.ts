import { coloured, planColour, reviewColour, takesColours } from '../../../reconciler/report/colours';
import type { Colour } from '../../../reconciler/report/colours';
import type { ReviewVerdict } from '../../../reconciler/review/review';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { reviewText } from '../../../reconciler/review/text';
import { lostText, titleOf, WORDS } from '../../../reconciler/review/words';
import { planFixture } from '../../support/review/plan-document';

const BY_VERDICT: Record<ReviewVerdict, Colour | undefined> = {
  ...{ destroy: 'red', rebuild: 'red', refused: 'red', unreached: 'red', restart: 'red', stop: 'red' },
  ...{ forget: 'yellow', waits: 'yellow', unknown: 'yellow', change: 'yellow', unplanned: 'yellow' },
  ...{ observed: 'yellow', unread: 'yellow' },
  ...{ adopt: 'green', create: 'green', wanted: 'green', unchanged: undefined },
};

test.each([
  ['web: would clone VM 9000 to VM 10000 on pve1', 'green'],
  ['web: would write memory, then restart', 'yellow'],
  ['web: would destroy it with its disks, then create it again', 'red'],
  ['web: would shut down, then destroy it with its disks', 'red'],
  ['web: would go back to snapshot before (what its disks hold since is lost)', 'red'],
  ['web: would download https://example.com/a.img to local on pve1, then create VM 10000 on pve1', 'green'],
  ['web: would upload cloud-init data as local:iso/a.iso, then write ide2', 'yellow'],
  ['  LOST: volume scsi1 4Gi', 'red'],
  ['web: refused', 'red'],
  ['  ! VM 100 already exists', 'red'],
  ['  WARNING: it is copied in full', 'yellow'],
  ['  image: a -> b (rebuild)', 'red'],
  ['  memory: 1Gi -> 2Gi (waits for a restart)', 'yellow'],
  ['  tags: a -> b', undefined],
  ['web: in sync', undefined],
  ['1 to change, 0 in sync, 0 refused.', undefined],
] as const)('a plan: %s', (line, colour) => {
  expect(planColour(line)).toBe(colour);
});

test.each([
  ['- web: destroy, VM 100 on pve1', 'red'],
  ['± web: rebuild, VM 100 on pve1', 'red'],
  ['! the plan is of yesterday', 'red'],
  ['~ web: change, VM 100 on pve1', 'yellow'],
  ['? web: forgotten', 'yellow'],
  ['↻ web: restarts now, VM 100 on pve1', 'red'],
  ['~ web: waits for a restart, VM 100 on pve1', 'yellow'],
  ['+ web: create', 'green'],
  ['    memory: 1Gi -> 2Gi (restart)', 'yellow'],
  ['    cores: 1 -> 2, waits', 'yellow'],
  ['1 destroy, 2 unchanged. Lost: 20 GiB of disks.', 'red'],
  ['1 create, 2 unchanged.', undefined],
  ['    It goes with its disks (scsi0 20Gi).', 'red'],
  ['    Lost for good: snapshot before.', 'red'],
  ['unchanged: web', undefined],
] as const)('a review: %s', (line, colour) => {
  expect(reviewColour(line)).toBe(colour);
});

test.each(['replace', 'destroy', 'target', 'module-change'])(
  'the review of a real plan (%s): each machine, and what is lost, has the colour of its verdict',
  name => {
    const review = reviewPlan(planFixture(name), 'plan.json');
    const lines = reviewText(review).split('\n');
    const loud = review.machines.filter(({ verdict }) => verdict !== 'unchanged');
    for (const machine of loud) {
      const { sign, word } = WORDS[machine.verdict];
      const head = lines.find(line => line.startsWith(`${sign} ${titleOf(machine, review)}: ${word}`)) ?? '';
      expect([machine.verdict, reviewColour(head)]).toEqual([machine.verdict, BY_VERDICT[machine.verdict]]);
    }
    expect(reviewColour(lines.at(-1) ?? '')).toBe(lostText(review) === undefined ? undefined : 'red');
  },
);

test('each line ends its own colour', () => {
  expect(coloured('web: refused\nweb: in sync\n', planColour)).toBe(
    '\u001b[31mweb: refused\u001b[39m\nweb: in sync\n',
  );
});

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
])('a terminal (%s) with %j', (isTTY, environment, does) => {
  expect(takesColours({ isTTY }, environment)).toBe(does);
});
