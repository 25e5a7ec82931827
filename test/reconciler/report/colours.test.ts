import { coloured, planColour, reviewColour, takesColours } from '../../../reconciler/report/colours';

test.each([
  ['web: would clone VM 9000 to VM 10000 on pve1', 'green'],
  ['web: would write memory, then restart', 'yellow'],
  ['web: would destroy it with its disks, then create it again', 'red'],
  ['web: would shut down, then destroy it with its disks', 'red'],
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
  ['+ web: create', 'green'],
  ['    memory: 1Gi -> 2Gi (restart)', 'yellow'],
  ['    cores: 1 -> 2, waits', 'yellow'],
  ['Lost: 20 GiB of disks.', 'red'],
  ['unchanged: web', undefined],
] as const)('a review: %s', (line, colour) => {
  expect(reviewColour(line)).toBe(colour);
});

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
