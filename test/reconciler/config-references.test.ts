import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretsOf } from '../../reconciler/config/cloud-init-secrets';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'references-'));
  writeFileSync(join(folder, 'data'), '#cloud-config\nwrite_files:\n- {path: /a}\n');
  writeFileSync(join(folder, 'password'), '$6$salt$hash\n');
  writeFileSync(join(folder, 'blank'), ' \n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (cloudInit: object, environment: Record<string, string> = {}) =>
  secretsOf({ id: 'web', cloudInit } as never, environment);

test.each<[string, object, string]>([
  ['a variable that is not set', { environment: 'DATA' }, 'the environment variable DATA, which is not set'],
  ['an empty variable', { environment: 'NONE' }, 'the environment variable NONE, which is empty'],
  ['a file that is not there', { file: '/nope/data' }, 'the file /nope/data, which is not there'],
  ['a folder', { file: tmpdir() }, `the file ${tmpdir()}, which is a folder`],
])('%s is named, with where and why', (_, reference, says) => {
  for (const field of ['userDataFrom', 'metaDataFrom', 'passwordFrom']) {
    const { missing } = read({ [field]: reference }, { NONE: '' });
    expect(missing).toEqual([`cloudInit.${field} names ${says}`]);
  }
});

test('a relative path is told with the folder that it was looked for from', () => {
  const { missing } = read({ userDataFrom: { file: 'nope' } });
  expect(missing?.[0]).toBe(
    `cloudInit.userDataFrom names the file nope, which is not there (looked for from ${process.cwd()})`,
  );
});

test('a file in another encoding is named, and nothing of it is said', () => {
  const file = join(folder, 'latin');
  writeFileSync(file, Buffer.from('pässword', 'latin1'));
  const { missing, password } = read({ passwordFrom: { file } });
  expect([missing, password]).toEqual([
    [`cloudInit.passwordFrom names the file ${file}, which is no text in UTF-8`],
    undefined,
  ]);
});

test('a file with nothing but white space holds nothing', () => {
  const file = join(folder, 'blank');
  expect(read({ passwordFrom: { file } }).missing).toEqual([
    `cloudInit.passwordFrom names the file ${file}, which is empty`,
  ]);
});

test('data is taken as it stands in its file, and a password without the end of its line', () => {
  const { data, hashedWith } = read({
    userDataFrom: { file: join(folder, 'data') },
    passwordFrom: { file: join(folder, 'password') },
  });
  expect(data?.userData).toBe('#cloud-config\nwrite_files:\n- {path: /a}\n');
  expect(hashedWith?.('salt')).toBe('$6$salt$hash');
  expect(read({ passwordFrom: { file: join(folder, 'password') } }).password).toBe('$6$salt$hash');
});
