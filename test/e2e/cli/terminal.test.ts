import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliLab, desiredText, type CliLab } from '../../support/processes/cli';

const machines = [{ id: 'web', image: { blank: true }, node: 'pve1', power: 'stopped' }];

let lab: CliLab;
let folder: string;
beforeEach(async () => {
  lab = await cliLab();
  folder = mkdtempSync(join(tmpdir(), 'terminal-'));
  writeFileSync(join(folder, 'desired.json'), desiredText(machines));
});
afterEach(async () => {
  await lab.close();
  rmSync(folder, { recursive: true });
});

/** Runs a line of the program on a terminal of its own, by script(1). */
function onTerminal(words: string, more: Record<string, string> = {}) {
  const line = `exec ${process.execPath} ${join(process.cwd(), 'dist', 'reconciler.cjs')} ${words}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...lab.access, ...more },
  });
  let shown = '';
  const waiting: { pattern: RegExp; resolve: () => void }[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    waiting.filter(({ pattern }) => pattern.test(shown)).forEach(({ resolve }) => resolve());
  });
  return {
    shows: (pattern: RegExp) =>
      new Promise<void>(resolve => {
        if (pattern.test(shown)) resolve();
        else waiting.push({ pattern, resolve });
      }),
    shown: () => shown,
    types: (text: string) => child.stdin.write(text),
    ended: new Promise<number | null>(resolve => child.on('close', resolve)),
  };
}

test('status --watch redraws what it sees, shows what changed, and ends well by Ctrl-C', async () => {
  const terminal = onTerminal('status --spec desired.json --watch');
  await terminal.shows(/\u001b\[H\u001b\[2JMACHINE[^]*web +Pending/);
  expect((await lab.people('reconcile', machines)).code).toBe(0);
  await terminal.shows(/\u001b\[H\u001b\[2JMACHINE[^]*web +\S+ +pve1 +10000/);
  terminal.types('\u0003');
  expect(await terminal.ended).toBe(0);
});

test('a machine is destroyed once who sits at the terminal says yes', async () => {
  expect((await lab.people('reconcile', machines)).code).toBe(0);
  const terminal = onTerminal('destroy web --spec desired.json');
  await terminal.shows(/is destroyed with its disks[^]*Go on\? \[y\/N\] /);
  expect(lab.guests('web')).toHaveLength(1);
  terminal.types('y\n');
  expect(await terminal.ended).toBe(0);
  expect(lab.guests('web')).toEqual([]);
});

test('a run shows a live line with the time for a machine at work, and one line when it is done', async () => {
  const effect = { kind: 'slow', ms: 1_000, work: 'not-done' } as const;
  lab.simulator.faults.add({ methods: ['POST'], path: '/nodes/pve1/qemu', count: 1, effect });
  const terminal = onTerminal('reconcile --spec desired.json');
  await terminal.ended;
  expect(terminal.shown()).toMatch(/web: creating VM 10000 on pve1 \(\d+\.\d s\)/);
  expect(terminal.shown()).toMatch(/web: Successfully created VM 10000 on pve1 \(\d+\.\d s\)/);
});

test.each([
  ['green on a terminal', {}, true],
  ['plain with NO_COLOR', { NO_COLOR: '1' }, false],
])('a plan of a new machine is %s', async (_, more, isGreen) => {
  const terminal = onTerminal('plan --spec desired.json', more);
  expect(await terminal.ended).toBe(0);
  expect(terminal.shown().includes('\u001b[32mweb: would create')).toBe(isGreen);
});

test('a plan that is piped has no colours', async () => {
  expect((await lab.people('plan', machines)).stdout).not.toContain('\u001b');
});

test.each([
  ['red', {}, true],
  ['plain with NO_COLOR', { NO_COLOR: '1' }, false],
  ['plain on a terminal that can nothing', { TERM: 'dumb' }, false],
])('a failure is %s', async (_, more, isRed) => {
  const terminal = onTerminal('status wbe --spec desired.json', more);
  expect(await terminal.ended).toBe(2);
  expect(terminal.shown()).toContain('ERROR: ');
  expect(terminal.shown().includes('\u001b[31mERROR')).toBe(isRed);
});
