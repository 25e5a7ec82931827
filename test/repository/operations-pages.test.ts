import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CLUSTER_VARIABLES } from '../../reconciler/config/cluster-variables';
import { FAILURES } from '../../reconciler/pve/answers/failure-decisions';
import { leastRole, moreOfRole } from '../../reconciler/privileges/least-role';
import { parseDesiredState } from '../../spec';
import { skipped } from '../support/skipped';
import { root } from './copied-tree';

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const source = readdirSync(join(root, 'reconciler'), { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => read('reconciler', name))
  .join('\n');
const found = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];

const NAME = 'PVE|PROXMOX|RECONCILE|MAX|METRICS|HEALTH|STATUS|LOG';
const variables = [
  ...CLUSTER_VARIABLES.map(name => `PVE_${name}`),
  ...found(source, new RegExp(`'((?:${NAME})_[A-Z_]*[A-Z])'`, 'g')),
];

test.each(variables)('the page of the environment names %s', name => {
  expect(read('docs', 'environment.md')).toContain(`\`${name}\``);
});

test('the table of privileges has a row for each that the printed roles hold, and no other', () => {
  const roles = [...leastRole(8), ...leastRole(9), ...moreOfRole()];
  const [, rows = ''] = read('docs', 'permissions.md').split(/^\| privilege .*\n/m);
  const [table = ''] = rows.split('\n\n');
  const named = table
    .split('\n')
    .flatMap(row => found(row.split('|')[1] ?? '', /([A-Z][A-Za-z]+(?:\.[A-Za-z]+)+)/g));
  const printed = roles.flatMap(({ privileges }) => privileges);
  expect(named.sort()).toEqual([...new Set(printed)].sort());
});

test('the page of the environment names no variable that nobody reads', () => {
  const told = found(read('docs', 'environment.md'), new RegExp(`\\| \`((?:${NAME})_[A-Z_]+)\``, 'g'));
  expect(told.length).toBeGreaterThan(20);
  expect(told.filter(name => !variables.includes(name))).toEqual([]);
});

const errors = read('reconciler', 'pve', 'answers', 'errors.ts');
test.each([
  ...found(errors, /^ {2}\| '([a-z-]+)'/gm),
  ...found(read('reconciler', 'errors.ts') + errors, /class (\w+Error) extends/g),
])('the page of the errors names %s', name => {
  expect(read('docs', 'errors.md')).toContain(`\`${name}\``);
});

const CHANGE = {
  read: 'reads again',
  seek: 'looks for it, 5 times',
  'other-id': 'takes another id',
  wait: 'waits',
  'wait-for-lock': 'waits for the lock',
  'find-out': 'looks what was done',
  'end-unless-done': 'ends',
};
const DESTROY = { again: 'reads, again', end: 'ends' };
const ROUND = { soon: '', person: 'waits' };

test.each(Object.entries(FAILURES))('the page of the errors says what is done about %s', (kind, told) => {
  const row = read('docs', 'errors.md')
    .split('\n')
    .find(line => line.startsWith(`| \`${kind}\` `));
  const cells = row?.split('|').map(cell => cell.trim());
  expect(cells?.slice(4, 7)).toEqual([CHANGE[told.change], DESTROY[told.destroy], ROUND[told.round]]);
});

test('the page of the errors names each exit code', () => {
  const codes = found(read('reconciler', 'report', 'exit-code.ts'), /\w+: (\d+)/g);
  const page = read('docs', 'errors.md');
  expect(codes.filter(code => !new RegExp(`^\\| +${code} \\|`, 'm').test(page))).toEqual([]);
});

test('each message of the page of troubleshooting is one that the program has', () => {
  const messages = found(read('docs', 'troubleshooting.md'), /^\| `([^`]+)`/gm);
  const pieces = messages.map(
    text => text.split('…').sort((one, other) => other.length - one.length)[0] ?? '',
  );
  expect(pieces.length).toBeGreaterThan(12);
  const spoken = source.replaceAll("\\'", "'");
  expect(pieces.filter(piece => !spoken.includes(piece.trim()))).toEqual([]);
});

test('the desired state of getting started is a good one', () => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(read('docs', 'getting-started.md')) ?? [];
  expect(parseDesiredState(parse(text))).toMatchObject({ ok: true });
});

const UNIT = 'the unit is one that systemd takes, alone and for a pair of hosts';
if (spawnSync('systemd-analyze', ['--version']).status !== 0)
  skipped(UNIT, 'there is no systemd-analyze on PATH');
else
  test.each(['', /```ini\n(\[Service\][\s\S]*?)```/.exec(read('docs', 'daemon.md'))?.[1] ?? 'none'])(
    `${UNIT} %#`,
    beside => {
      const folder = mkdtempSync(join(tmpdir(), 'unit-'));
      const unit = join(folder, 'pve-reconciler.service');
      writeFileSync(unit, read('monitoring', 'pve-reconciler.service'));
      mkdirSync(`${unit}.d`);
      writeFileSync(join(`${unit}.d`, 'lease.conf'), beside);
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
      rmSync(folder, { recursive: true });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
  );
