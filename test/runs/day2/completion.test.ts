import { execFileSync } from 'node:child_process';
import { program } from '../../../reconciler/commands/command-line';
import { runLine } from '../../reconciler/walk/live';

const script = async (shell: string): Promise<string> => {
  const { code, out } = await runLine(['completion', shell]);
  expect(code).toBe(0);
  return out;
};

/** What a real bash offers for a line; its last word is being written. */
async function offered(line: string[]): Promise<string[]> {
  const asks = `
COMP_WORDS=(pve-reconciler "$@"); COMP_CWORD=$#
_pve_reconciler; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', (await script('bash')) + asks, 'bash', ...line];
  return execFileSync('bash', args, { encoding: 'utf8' }).trim().split('\n');
}

test.each([
  [['pl'], ['plan']],
  [
    ['power', 'st'],
    ['start', 'stop'],
  ],
  [['power', 'start', 'web', '--ma'], ['--manifests']],
  [['snapshot', 're'], ['revert']],
  [['snapshot', '--description', 'x', 're'], ['revert']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['--v'], ['--version']],
])('bash completes %j to %j', async (line, words) => {
  expect(await offered(line)).toEqual(words);
});

test('the names of machines come from no cluster, and nothing is said of what cannot be read', async () => {
  const machines = [{ id: 'web' }, { id: 'db' }];
  const state = JSON.stringify({ version: 1, owner: 'team', cluster: { name: 'lab' }, machines });
  const ask = ['completion', 'machines'];
  const names = { code: 0, out: 'db\nweb\n', said: '' };
  expect(await runLine([...ask, '--spec', '-'], {}, state)).toMatchObject(names);
  for (const words of [[], ['--spec', '/no/such/file'], ['--spec', '-']])
    expect(await runLine([...ask, ...words])).toMatchObject({ code: 0, out: '', said: '' });
});

test('every verb and every flag of the command line is completed, in each shell', async () => {
  const { commands } = program(() => Promise.resolve());
  const verbs = commands.map(command => command.name());
  expect((await offered([''])).sort()).toEqual([...verbs].sort());
  const fish = await script('fish');
  for (const command of commands) {
    const flags = command.options.map(({ long }) => long ?? '');
    expect(await offered([command.name(), '--'])).toEqual(expect.arrayContaining(flags));
    for (const flag of flags)
      expect(fish).toMatch(new RegExp(`seen_subcommand_from ${command.name()}' -l ${flag.slice(2)} `));
  }
  expect(await script('zsh')).toContain('bashcompinit');
});

test.each(['--spec', '--manifests', '--secrets'])(
  'a script is printed without %s, which is refused',
  async flag => {
    expect(await runLine(['completion', 'bash', flag, '/no/such'])).toMatchObject({
      ...{ code: 2, out: '', said: expect.stringContaining('completion machines only: remove them') },
    });
  },
);

test('an unknown shell names the closest', async () => {
  expect(await runLine(['completion', 'bsh'])).toMatchObject({
    code: 2,
    said: expect.stringContaining('Did you mean bash?'),
  });
});
