import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const LINE = [process.execPath, 'scripts/simulated.mjs'];

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'simulated-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** What a person's shell has, with an opener of pages that notes what it was given. */
function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const opener = join(folder, 'xdg-open');
  writeFileSync(opener, `#!/bin/sh\necho "$1" >> '${join(folder, 'opened')}'\n`);
  chmodSync(opener, 0o755);
  const { CI: _, BROWSER: __, ...env } = process.env;
  return {
    ...env,
    SHELL: '/bin/sh',
    DISPLAY: ':0',
    PATH: `${folder}${delimiter}${env['PATH'] ?? ''}`,
    ...more,
  };
}

async function ran(
  [program = '', ...args]: string[],
  typed: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; said: string }> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdin.end(typed);
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { code, said: said.replaceAll('\r', '') };
}

function isThere(url: string): Promise<boolean> {
  return new Promise(resolve => {
    get(url, { rejectUnauthorized: false }, () => resolve(true)).on('error', () => resolve(false));
  });
}

/** The address of the page that was named. */
function pageIn(said: string): string {
  const [, page = ''] = /^Its page: (\S+)/m.exec(said) ?? [];
  return page;
}

const opened = (): string =>
  existsSync(join(folder, 'opened')) ? readFileSync(join(folder, 'opened'), 'utf8') : '';

test('it names the page, the images and what to type, and ends well where stdin is no terminal', async () => {
  const { code, said } = await ran(LINE, '', environment());
  expect(code).toBe(0);
  expect(said).toContain('Image.fromTemplate:\n  "ubuntu-22.04" (VM 9000)\n  "debian-12" (VM 9001)\n');
  expect(said).toMatch(/Image\.fromIso:\n {2}"\S+:iso\/\S+"\nImage\.fromUrl:\n {2}"https:/);
  expect(said).toContain('Type next:\n  pve-reconciler doctor\n');
  expect(pageIn(said)).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/_sim\/$/);
  expect(opened()).toBe('');
  expect(await isThere(pageIn(said))).toBe(false);
});

test('what is typed into it is run beside the cluster, and its exit code is that of the last line', async () => {
  const typed =
    'curl -s --cacert "$PVE_CA_BUNDLE" -o /dev/null -w "%{http_code}\\n" "$PVE_ENDPOINT/_sim/"\nexit 7\n';
  const { code, said } = await ran(LINE, typed, environment());
  expect(said).toMatch(/\n200\n$/);
  expect(code).toBe(7);
});

test.each([
  ['opens its page', {}, `until [ -s "$OPENED" ]; do sleep 0.1; done; exit\n`, true],
  ['opens none with BROWSER=none', { BROWSER: 'none' }, 'exit\n', false],
])('on a terminal it %s', async (_, more, typed, does) => {
  const line = ['script', '-qec', LINE.join(' '), '/dev/null'];
  const { code, said } = await ran(line, typed, environment({ ...more, OPENED: join(folder, 'opened') }));
  expect(code).toBe(0);
  expect(opened()).toBe(does ? `${pageIn(said)}\n` : '');
});

test('a program that is not there is told in one line', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/simulated.mjs', 'no-such-cmd']);
  expect([status, stderr.toString().replace(/^set-up: .*\n/gm, '')]).toEqual([
    127,
    'no-such-cmd was not started: there is no such program on PATH. Name a program, or none for a shell.\n',
  ]);
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s to it alone ends the command, too', async (signal, ends) => {
  const child = spawn(process.execPath, ['scripts/simulated.mjs', 'sh', '-c', 'echo "$$"; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise<number | null>(resolve => child.on('close', resolve));
  let said = '';
  const pid = await new Promise<number>(resolve =>
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, told] = /^(\d+)$/m.exec(said) ?? [];
      if (told !== undefined) resolve(Number(told));
    }),
  );
  child.kill(signal);
  expect(await closed).toBe(ends);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
