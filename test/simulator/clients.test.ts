import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatorProgram } from '../support/api/simulator-program';
import { skipped } from '../support/skipped';
import { EVERY } from '../support/turns';

const root = join(__dirname, '..', '..');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
// testcontainers 12 needs node 22.22
const [major = 20] = process.versions.node.split('.').map(Number);
const TESTCONTAINERS = major > 22 ? '12.2.0' : '11.14.0';

/** Of each language: its tool, and the commands in a copy of its folder, from the first fetch to the tests. */
const clients = {
  typescript: {
    tool: ['npm', '--version'],
    commands: [
      [
        'npm',
        'install',
        '--no-save',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        `testcontainers@${TESTCONTAINERS}`,
      ],
      [bin('tsc'), '-p', '.', '--typeRoots', join(root, 'node_modules', '@types')],
      [bin('tsx'), '--test', 'index.test.ts'],
    ],
  },
  python: {
    tool: ['python3', '-m', 'venv', '--help'],
    commands: [
      ['python3', '-m', 'venv', 'packages'],
      ['packages/bin/pip', 'install', '--quiet', 'testcontainers==4.15.0'],
      ['packages/bin/python', '-m', 'compileall', '-q', 'pve_simulator.py'],
      ['packages/bin/python', '-m', 'unittest', '-v'],
    ],
  },
  go: {
    tool: ['go', 'version'],
    commands: [
      ['go', 'vet', './...'],
      ['go', 'test', './...'],
    ],
  },
} as const;

describe.each(Object.entries(clients))('the client in %s', (name, { tool: [tool, ...args], commands }) => {
  if (!EVERY)
    return skipped('compiles, and reaches a simulator', 'it fetches packages: at night, or KILLS=every');
  if (!has(tool, ...args)) return skipped('compiles, and reaches a simulator', `${tool} is not here`);

  test('compiles, and reaches a simulator', () => {
    const program = new SimulatorProgram();
    const folder = mkdtempSync(join(tmpdir(), 'simulator-client-'));
    const containers = has('docker', 'image', 'inspect', 'pve-simulator') ? { CONTAINERS: '1' } : {};
    try {
      cpSync(join(root, 'simulator', 'clients', name), folder, { recursive: true });
      const env = { ...process.env, PVE_SIMULATOR: program.path, ...containers };
      for (const [command, ...words] of commands) {
        const file = existsSync(join(folder, command)) ? join(folder, command) : command;
        execFileSync(file, words, { cwd: folder, env, stdio: 'pipe' });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
      program.remove();
    }
  }, 600_000);
});
