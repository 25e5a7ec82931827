import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { whyNoCdktf } from '../../support/terraform/cdktf-command';
import { skipped } from '../../support/skipped';
import { EVERY } from '../../support/turns';

const root = path.resolve(__dirname, '..', '..', '..');

/** The demo as a person starts it, with folders of its own to write to, and a sign by which its processes are known. */
function startDemo(folder: string) {
  const env = { ...process.env, TMPDIR: folder, HOME: folder, DEMO_UNDER_TEST: folder };
  const child = spawn('node', ['scripts/demo.mjs'], { cwd: root, env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += String(chunk)));
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  return { child, ended, text: () => text };
}

/** The programs that the demo of this folder has started and that still run. */
function leftRunning(folder: string): string[] {
  return readdirSync('/proc')
    .filter(pid => /^\d+$/.test(pid) && read(pid, 'environ').includes(`DEMO_UNDER_TEST=${folder}`))
    .map(pid => read(pid, 'cmdline').replaceAll('\0', ' '));
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
}

function reason(): string | undefined {
  return process.platform === 'linux' ? whyNoCdktf() : 'it looks for processes in /proc';
}

const why = reason();
if (why) skipped('the demo', why);
else {
  describe('the demo', () => {
    let folder: string;
    let child: ChildProcess | undefined;
    beforeEach(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'the demo '));
    });
    afterEach(() => {
      child?.kill('SIGTERM'); // a failed test may leave it running
      rmSync(folder, { recursive: true, force: true });
    });

    test('comes to its end, shows what happens, and leaves nothing', async () => {
      const demo = startDemo(folder);
      child = demo.child;
      expect({ code: await demo.ended, text: demo.text() }).toMatchObject({ code: 0 });
      const told = [
        ...['cloning VM', 'Apply complete!', 'memory: 4Gi -> 8Gi', '50Gi -> 60Gi', 'cpu.cores: 1 -> 2'],
        ...[
          '0 to change, 2 in sync, 0 refused, 1 waits for a restart',
          'Destroy complete!',
          'Nothing is left behind',
        ],
      ];
      expect(told.filter(part => !demo.text().includes(part))).toEqual([]);
      const [, before, after] =
        /was (\/nodes\S+ uuid=\S+)\s+and is (\/nodes\S+ uuid=[^\s.]+)/.exec(demo.text()) ?? [];
      expect(before).toBeDefined();
      expect(after).toBe(before);
      expect({ running: leftRunning(folder), files: readdirSync(folder) }).toEqual({
        running: [],
        files: [],
      });
    });

    // In the middle of a deploy: Terraform and the reconciler run then.
    test.each(EVERY ? (['SIGINT', 'SIGTERM'] as const) : (['SIGINT'] as const))(
      'ends the same way with %s',
      async signal => {
        const demo = startDemo(folder);
        child = demo.child;
        await new Promise<void>((resolve, reject) => {
          demo.child.stdout.on('data', () => {
            if (demo.text().includes('cloning VM')) resolve();
          });
          void demo.ended.then(code => reject(new Error(`it ended with ${code}: ${demo.text()}`)));
        });
        expect(
          leftRunning(folder).filter(command => command.includes('terraform-provider-null')),
        ).not.toEqual([]);
        demo.child.kill(signal);
        expect({ code: await demo.ended, text: demo.text() }).toMatchObject({ code: 130 });
        expect({ running: leftRunning(folder), files: readdirSync(folder) }).toEqual({
          running: [],
          files: [],
        });
      },
      200_000,
    );
  });
}
