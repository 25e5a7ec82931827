import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImageRoot, type ImageRoot } from '../support/image-root';
import { sendRaw } from '../support/api/raw-client';
import { skipped } from '../support/skipped';
import { freePort } from '../support/free-ports';

const why =
  process.getuid?.() !== 0 || !existsSync('/usr/sbin/chroot')
    ? 'chroot needs root on Linux'
    : existsSync(join(__dirname, '../../simulator/dist/pve-simulator.cjs'))
      ? undefined
      : 'simulator/dist is not built: npm run build';

if (why !== undefined) skipped('the image runs by chroot', why);
else
  describe('the image, its root built by hand and run by chroot', () => {
    let root: string;
    let image: ImageRoot;
    beforeAll(() => {
      root = mkdtempSync(join(tmpdir(), 'simulator-image-'));
      image = buildImageRoot(root);
    });
    afterAll(() => rmSync(root, { recursive: true, force: true }));

    const words = (command: string[]) => [`--userspec=${image.user}`, root, ...command];
    const start = (port: number, env: Record<string, string> = {}, args: string[] = []) => {
      const all = { ...image.env, PVE_SIM_PORT: String(port), ...env };
      const child = spawn('/usr/sbin/chroot', words([...image.entrypoint, ...args]), {
        env: all,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let errors = '';
      child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
      const ended = new Promise<{ code: number | null; errors: string }>((resolve, reject) => {
        child.on('error', reject);
        child.on('close', code => resolve({ code, errors }));
      });
      const ready = new Promise<Record<string, string>>((resolve, reject) => {
        child.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString())));
        ended.then(({ errors: said }) => reject(new Error(said)), reject);
      });
      const health = () => spawnSync('/usr/sbin/chroot', words(image.health), { env: all }).status;
      return { child, ready, ended, health };
    };

    test('it answers, is healthy while it does, and ends at SIGTERM', async () => {
      const port = await freePort();
      const { child, ready, ended, health } = start(port, {}, ['--world', 'homelab']);
      expect((await ready)['url']).toBe(`https://127.0.0.1:${port}`);
      const { text } = await sendRaw(`https://127.0.0.1:${port}`, { method: 'GET', path: '/_sim/world' });
      expect(JSON.parse(text).nodes).toHaveLength(1);
      expect(health()).toBe(0);
      expect(readFileSync(`/proc/${child.pid}/status`, 'utf8')).toMatch(/^Uid:\t65532\t65532/m);
      child.kill('SIGTERM');
      expect(await ended).toEqual({ code: 0, errors: expect.stringContaining('it listens on 0.0.0.0') });
      expect(health()).toBe(1);
    });

    test('what it keeps in /state is there again after a kill', async () => {
      const port = await freePort();
      const env = { PVE_SIM_STATE: '/state/cluster.json' };
      const first = start(port, env);
      const { fingerprint } = await first.ready;
      first.child.kill('SIGKILL');
      await first.ended;
      const second = start(port, env);
      expect((await second.ready)['fingerprint']).toBe(fingerprint);
      second.child.kill();
      await second.ended;
    });

    test('it takes at most 80 MB to fetch, as registries count', () => {
      const size = execFileSync('sh', ['-c', 'tar -C "$0" -c . | gzip -1 | wc -c', root], {
        encoding: 'utf8',
      });
      expect(Number(size)).toBeLessThanOrEqual(80_000_000);
    });
  });
