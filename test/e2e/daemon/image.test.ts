import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulatorProgram } from '../../support/api/simulator-program';
import { buildImageRoot, type ImageRoot } from '../../support/image-root';
import { skipped } from '../../support/skipped';
import { freePort } from '../../support/free-ports';

const machine = { apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', metadata: { name: 'web' } };
/** A namespace of its own for mounts and network: the root cannot be written to, and the ports are free. */
const READ_ONLY =
  'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount -t tmpfs none "$0/tmp" && exec chroot "$@"';

if (spawnSync('unshare', ['-m', 'true']).status !== 0)
  skipped('the image of the daemon runs by chroot', 'unshare -m needs root on Linux');
else
  describe('the image of the daemon, its root built by hand and run by chroot', () => {
    let root: string;
    let image: ImageRoot;
    const simulator = new SimulatorProgram();
    beforeAll(() => {
      root = mkdtempSync(join(tmpdir(), 'reconciler-image-'));
      image = buildImageRoot(root, 'reconciler');
      mkdirSync(join(root, 'machines'));
      writeFileSync(
        join(root, 'machines/web.json'),
        JSON.stringify({ ...machine, spec: { image: { blank: true } } }),
      );
    });
    afterAll(() => {
      simulator.remove();
      rmSync(root, { recursive: true, force: true });
    });

    test('on a root that cannot be written to it makes a machine, is healthy, and ends at SIGTERM', async () => {
      const { ready } = await simulator.startReady(['--password', 'simulated', '--task-ms', '5']);
      const { user } = image;
      const words = ['-m', 'sh', '-c', READ_ONLY, root, `--userspec=${user}`, root, ...image.entrypoint];
      const env = {
        PVE_ENDPOINT: ready['url'],
        PVE_USERNAME: 'root@pam',
        PVE_PASSWORD: 'simulated',
        PVE_INSECURE_SKIP_VERIFY: 'true',
        PROXMOX_DEFAULT_CLUSTER: 'lab',
        ...{
          METRICS_BIND_ADDRESS: '0',
          STATUS_BIND_ADDRESS: '0',
          HEALTH_PROBE_BIND_ADDRESS: `127.0.0.1:${await freePort()}`,
        },
        PATH: process.env['PATH'],
      };
      const daemon = spawn('unshare', [...words, 'run', '--manifests', '/machines'], { env });
      let said = '';
      const ended = new Promise(resolve => daemon.on('close', resolve));
      const made = new Promise<void>(resolve =>
        daemon.stderr.on('data', (text: Buffer) => {
          said += text.toString();
          if (said.includes('Successfully created VM')) resolve();
        }),
      );
      await Promise.race([made, ended]);
      expect(said).toContain('Successfully created VM');
      expect(readFileSync(`/proc/${daemon.pid}/status`, 'utf8')).toMatch(/^Uid:\t1000\t1000/m);
      const health = (more: NodeJS.ProcessEnv = {}) =>
        spawnSync('/usr/sbin/chroot', [`--userspec=${user}`, root, ...image.health], {
          env: { ...env, ...more },
        }).status;
      expect(health()).toBe(0);
      expect(health({ HEALTH_PROBE_BIND_ADDRESS: '0' })).toBe(0);
      daemon.kill('SIGTERM');
      expect(await ended).toBe(0);
      expect(health()).toBe(1);
    });

    test('it knows the releases: verify says which one it is, or that it is none', () => {
      const words = [
        `--userspec=${image.user}`,
        root,
        ...image.entrypoint,
        'verify',
        '/opt/pve-reconciler/dist',
      ];
      const { stdout, stderr } = spawnSync('/usr/sbin/chroot', words, { encoding: 'utf8' });
      expect([stdout, stderr]).toEqual([expect.stringContaining('/opt/pve-reconciler/dist: '), '']);
    });

    test('it takes at most 80 MB to fetch, as registries count', () => {
      const packed = execFileSync('sh', ['-c', 'tar -C "$0" -c . | gzip -1 | wc -c', root], {
        encoding: 'utf8',
      });
      expect(Number(packed)).toBeLessThanOrEqual(80_000_000);
    });
  });
