import { writeFileSync } from 'node:fs';
import { optionsIn } from '../../../simulator/cli/health';
import { SimulatorProgram } from '../../support/api/simulator-program';

const program = new SimulatorProgram();
afterEach(() => program.endAll());
afterAll(() => program.remove());

const missing = program.file('none/file');

test.each<[string[], string]>([
  [['--nodes', '-1'], "--nodes needs a whole number, from 1 to 64; '-1' is not one"],
  [
    ['--nodes', '4', '--world', 'homelab'],
    "--nodes is only for a start without a world: 'homelab' has its own",
  ],
  [['helth'], "there is no 'helth'. Did you mean health?"],
  [['--state', missing], `--state ${missing}: the folder ${program.file('none')} is not there; make it`],
  [['--ready-file', missing], `--ready-file ${missing}: the folder ${program.file('none')} is not there`],
  [['--host', 'nohost.invalid'], 'it cannot listen on nohost.invalid, port 0 (E'],
  [['--host', '203.0.113.7'], 'this machine does not have that address'],
])('%j is refused with 2, in one sentence that says what to do', async (args, said) => {
  const { code, output, errors } = await program.start(args).ended;
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(errors).toContain(said);
  expect(errors).toMatch(/^pve-simulator: [^\n]*\n$/);
});

test('a variable of the nodes beside a world is refused by its name', async () => {
  const { code, errors } = await program.start(['--world', 'homelab'], { PVE_SIM_NODES: '4' }).ended;
  expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('PVE_SIM_NODES is only for') });
});

test('a taken port is told with what helps', async () => {
  const { ready } = await program.startReady([]);
  const { port } = new URL(ready['url']!);
  expect(await program.start(['--port', port]).ended).toEqual({
    code: 1,
    output: '',
    errors: `pve-simulator: it cannot listen on 127.0.0.1, port ${port} (EADDRINUSE): another program listens there; end it, or say another --port (0: any free one)\n`,
  });
});

test('a broken state file is left as it is, and the way on is told', async () => {
  writeFileSync(program.file('broken'), '{"format":1,');
  const { code, errors } = await program.start(['--state', program.file('broken')]).ended;
  expect({ code, errors }).toEqual({
    code: 2,
    errors: expect.stringMatching(
      /^pve-simulator: --state .*broken: .*Remove the file to start anew, or name another\.\n$/,
    ),
  });
});

test('health has a help', async () => {
  expect(await program.start(['health', '--help']).ended).toMatchObject({
    code: 0,
    output: expect.stringContaining('Usage: pve-simulator health [URL]'),
  });
});

test.each([
  [
    ['/node', '/sim.cjs', '--port', '9000'],
    ['--port', '9000'],
  ],
  [
    ['/sbin/init', '--', '/node', '/sim.cjs', '--port', '9000'],
    ['--port', '9000'],
  ],
  [['/node', '/other.cjs', '--port', '9000'], []],
])('the options of the first process %j', (words, options) => {
  expect(optionsIn(words.map(word => `${word}\0`).join(''), '/sim.cjs')).toEqual(options);
});

const secretOf = async (args: string[]): Promise<string> =>
  (await program.startReady(args)).ready['tokenSecret']!;

test("root's token follows the seed on loopback, and is a random one where others reach it", async () => {
  const known = await secretOf([]);
  expect(await secretOf(['--password', 'own'])).toBe(known);
  expect(await secretOf(['--seed', '2'])).not.toBe(known);
  const open = [await secretOf(['--host', '0.0.0.0']), await secretOf(['--host', '0.0.0.0'])];
  expect(new Set([known, ...open]).size).toBe(3);
});

test('a token that a run on loopback left in the state file is another one where others reach it', async () => {
  const args = ['--state', program.file('left')];
  const first = await program.startReady(args);
  first.child.kill();
  await first.ended;
  const open = await secretOf([...args, '--host', '0.0.0.0']);
  expect(open).not.toBe(first.ready['tokenSecret']);
  program.endAll();
  expect(await secretOf(args)).toBe(open);
});
