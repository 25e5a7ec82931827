import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runLine } from '../../reconciler/walk/live';

const shaOf = (...texts: string[]) => createHash('sha256').update(texts.join('')).digest('hex');
const folder = mkdtempSync(path.join(tmpdir(), 'verify '));
afterAll(() => rmSync(folder, { recursive: true }));

const list = path.join(folder, 'releases.json');
const releaseOf = (version: string, called: string, program: string) => ({
  ...{ version, date: '2026-11-27' },
  files: { 'reconciler.cjs': shaOf(called), 'reconciler-program.cjs': shaOf(program) },
});
writeFileSync(
  list,
  JSON.stringify({ version: 1, releases: [releaseOf('0.2.0', 'a', 'b'), releaseOf('0.3.0', 'c', 'd')] }),
);

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};
/** The files of a reconciler in a stack, as they are named at synth. */
function carry(
  place: string,
  called: string,
  program: string,
  mark = shaOf(called, program).slice(0, 12),
): string {
  write(path.join(place, 'proxmox', `reconciler.${mark}.cjs`), called);
  write(path.join(place, 'proxmox', `reconciler-program.${mark}.cjs`), program);
  return `node \${path.module}/proxmox/reconciler.${mark}.cjs`;
}
const stack = (name: string) => path.join(folder, name);
const verify = (...places: string[]) => runLine(['verify', ...places, '--releases', list]);

test('a stack that a release made is named with it, by the files that its code calls', async () => {
  const place = stack('released');
  carry(place, 'c', 'd');
  write(path.join(place, 'cdk.tf.json'), JSON.stringify({ command: carry(place, 'a', 'b') }));
  const { code, out } = await verify(place);
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(
      /released: release 0\.2\.0 \(2026-11-27\)\n {2}[0-9a-f]{64} {2}.*reconciler\.[0-9a-f]{12}\.cjs\n/,
    ),
  });
});

test.each([
  ['built from a clone', ['x', 'y'], undefined, 'not a release: built from a clone'],
  ['made of two releases', ['a', 'd'], undefined, 'not a release: built from a clone'],
  ['changed since', ['a', 'evil'], shaOf('a', 'b').slice(0, 12), 'changed after it was synthesized'],
])(
  'a stack that is %s exits 3, and says what to do',
  async (name, [called = '', program = ''], mark, said) => {
    const place = stack(name);
    write(path.join(place, 'cdk.tf'), carry(place, called, program, mark));
    const { code, out } = await verify(place);
    expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining(said) });
    expect(out).toContain('Synthesize the stack again');
  },
);

test.each([
  [
    'a program beside it under a name of its own',
    'reconciler.evil.cjs',
    '',
    'no synth writes a file of this name',
  ],
  ['one without a hash in its name', 'reconciler.cjs', '', 'no synth writes a file of this name'],
  ['one that its code calls', 'helper.cjs', 'proxmox/helper.cjs', 'no synth writes a file of this name'],
  ['one that its code calls and that is not there', '', 'proxmox/sub/evil.cjs', 'sub/evil.cjs'],
])('a stack of a release with %s exits 3, and names the file', async (name, file, called, said) => {
  const place = stack(name);
  const command = `${carry(place, 'a', 'b')} ${called}`;
  write(path.join(place, 'cdk.tf.json'), JSON.stringify({ command }));
  if (file !== '') write(path.join(place, 'proxmox', file), 'evil');
  const { code, out } = await verify(place);
  expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining(said) });
  expect(out).toContain(file);
  expect(out).toContain('release 0.2.0');
});

test('what an earlier synth left and no release has exits 3, and may be removed', async () => {
  const place = stack('left');
  carry(place, 'older', 'from a clone');
  write(path.join(place, 'cdk.tf.json'), JSON.stringify({ command: carry(place, 'a', 'b') }));
  const { code, out } = await verify(place);
  expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining('the code does not call it') });
});

test('what cdk.tf calls beside cdk.tf.json is looked at too', async () => {
  const place = stack('both');
  write(path.join(place, 'cdk.tf.json'), JSON.stringify({ command: carry(place, 'a', 'b') }));
  write(path.join(place, 'cdk.tf'), '"proxmox/reconciler.0123456789ab.cjs"');
  expect(await verify(place)).toMatchObject({ code: 3, out: expect.stringContaining('is missing') });
});

test('a file that the code calls and that is not there is missed', async () => {
  const place = stack('called but gone');
  carry(place, 'a', 'b');
  write(path.join(place, 'cdk.tf.json'), JSON.stringify({ command: 'proxmox/reconciler.0123456789ab.cjs' }));
  const { code, out } = await verify(place);
  expect({ code, out }).toEqual({ code: 3, out: expect.stringContaining('reconciler.0123456789ab.cjs') });
  expect(out).toContain('is missing');
});

test('the folder of the module has no hash in its names; one of two folders that is none exits 3', async () => {
  const place = stack('module');
  write(path.join(place, 'reconciler.cjs'), 'c');
  write(path.join(place, 'reconciler-program.cjs'), 'd');
  expect(await verify(place)).toMatchObject({ code: 0, out: expect.stringContaining('release 0.3.0') });
  const other = stack('other');
  write(path.join(other, 'reconciler.cjs'), 'c');
  expect(await verify(place, other)).toMatchObject({ code: 3, out: expect.stringContaining('is missing') });
});

test('as JSON it tells each file, and the release where there is one', async () => {
  const place = stack('json');
  carry(place, 'a', 'b');
  const { out } = await runLine(['verify', place, '--releases', list, '--json']);
  expect(JSON.parse(out)).toMatchObject({
    reconcilers: [{ place, release: { version: '0.2.0' }, isAsNamed: true, missing: [] }],
  });
});

test.each([
  ['no folder', [list], 'is no folder'],
  ['a folder without one', [folder], 'holds no reconciler'],
  ['nothing', [], 'Say which folder is meant'],
])('%s is wrong input', async (_, places, said) => {
  expect(await verify(...places)).toMatchObject({ code: 2, said: expect.stringContaining(said) });
});

test('a list that is none, or is not there, is named with what to give', async () => {
  const wrong = stack('wrong.json');
  writeFileSync(wrong, '{"version":2}');
  const line = ['verify', stack('json')];
  expect(await runLine([...line, '--releases', wrong])).toMatchObject({
    code: 2,
    said: expect.stringContaining('Give the releases.json of the package'),
  });
  expect(await runLine(line)).toMatchObject({ code: 2, said: expect.stringContaining('--releases') });
});
