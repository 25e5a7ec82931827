import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cliLab, type CliLab } from '../../support/processes/cli';

const PROGRAM = join(process.cwd(), 'dist', 'reconciler.cjs');
const QUESTION = 'Go on? [y/N]';

let lab: CliLab;
beforeEach(async () => (lab = await cliLab()));
afterEach(() => lab.close());

/** Runs `adopt` at a terminal of its own, and types this once it asks. What the terminal showed. */
function atTerminal(typed: string): Promise<{ code: number | null; shown: string }> {
  const line = `'${process.execPath}' '${PROGRAM}' adopt 100 --owner team/lab --cluster lab --form json`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'dumb', ...lab.access },
  });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const asked = shown.includes(QUESTION);
    shown += chunk.toString();
    if (!asked && shown.includes(QUESTION)) child.stdin.write(typed);
  });
  return new Promise(resolve => child.on('close', code => resolve({ code, shown })));
}

test.each(['y\n', 'yes\n', ' Y \n'])('%j at a terminal writes the mark', async typed => {
  const { code, shown } = await atTerminal(typed);
  expect({ code, shown }).toMatchObject({
    code: 0,
    shown: expect.stringContaining('its next plan is empty'),
  });
  expect(lab.writes()).toEqual([expect.stringContaining('/qemu/100/config')]);
});

const END_OF_INPUT = '\u0004';
const INTERRUPT = '\u0003';
test.each(['n\n', '\n', 'perhaps\n', END_OF_INPUT, INTERRUPT])(
  '%j at a terminal writes nothing, and says so',
  async typed => {
    const { code, shown } = await atTerminal(typed);
    expect({ code, shown }).toMatchObject({
      code: 0,
      shown: expect.stringContaining('Nothing was written to Proxmox.'),
    });
    expect(lab.writes()).toEqual([]);
  },
);
