import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { skipped } from '../../support/skipped';

const run = promisify(execFile);
const root = path.resolve(__dirname, '..', '..', '..');
const examples = readdirSync(path.join(root, 'examples')).filter(name => !name.startsWith('.'));

/** The commands of a README, as a shell would run them, in a copy of the example. */
function commandsOf(example: string, copy: string): string {
  const text = readFileSync(path.join(root, 'examples', example, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
  return blocks.join('').replaceAll(`cd examples/${example}`, `cd "${copy}"`);
}

// Its terminal library brings no binary for later ones.
if (Number(process.versions.node.split('.')[0]) > 22) {
  skipped('the examples', 'cdktf-cli 0.21 runs on node up to 22');
} else {
  test.each(examples)('examples/%s does what its README says', async example => {
    // beside the others, so that the paths in it hold
    const copy = mkdtempSync(path.join(root, 'examples', `.${example}-`));
    try {
      cpSync(path.join(root, 'examples', example), copy, { recursive: true });
      const script = `set -eu\n${commandsOf(example, copy)}`;
      const { stdout } = await run('node', ['scripts/simulated.mjs', 'bash', '-c', script], {
        cwd: root,
        env: { ...process.env, CI: '1' },
        maxBuffer: 1 << 26,
      });
      const { stdout: tracked } = await run('git', ['ls-files', '.'], {
        cwd: path.join(root, 'examples', example),
      });
      const text = (folder: string, file: string) => readFileSync(path.join(folder, file), 'utf8');
      for (const file of tracked.split('\n').filter(name => name !== '')) {
        expect([file, text(copy, file)]).toEqual([file, text(path.join(root, 'examples', example), file)]);
      }
      expect(stdout).toContain('Running');
      expect(stdout).toMatch(/Destroy complete!|: destroyed/);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
}
