import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultWorld, type Simulator } from '../../../simulator';
import type { GuestSystem } from '../../../simulator/world';
import { ourGuests } from '../../support/cluster/our-guests';
import { programAccess } from '../../support/cluster/program-access';
import { startCluster } from '../../support/cluster/start-cluster';
import { skipped } from '../../support/skipped';
import { cdktfCommand, whyNoCdktf } from '../../support/terraform/cdktf-command';
import { describeEachEngine, environmentFor } from '../../support/terraform/engines';
import { EVERY } from '../../support/turns';

const root = path.resolve(__dirname, '..', '..', '..');
const read = (...parts: string[]): string => readFileSync(path.join(root, ...parts), 'utf8');

/** The first program of the README, as it stands there but for where the package is. */
const FIRST = (/^```ts\n([^]*?)^```$/m.exec(read('README.md'))?.[1] ?? '').replace(
  `'cdktf-proxmox'`,
  `'../../constructs'`,
);
/** The programs that the README shows or points to as things to try, and the address that each tells. */
const PROGRAMS: [name: string, program: string, stack: string, output: string][] = [
  ['its first one', FIRST, 'web', 'address'],
  ['one-machine', read('examples', 'one-machine', 'main.ts'), 'one-machine', 'address'],
  [
    'web-and-database',
    read('examples', 'web-and-database', 'main.ts'),
    'web-and-database',
    'database-address',
  ],
];

const reason = whyNoCdktf();
if (reason) skipped('cdktf on guests that are slow', reason);
else {
  describeEachEngine('cdktf deploy where an address is read', engine => {
    let folder: string;
    let cluster: Simulator | undefined;
    beforeEach(() => {
      folder = mkdtempSync(path.join(tmpdir(), 'slow guests '));
      for (const name of ['constructs', 'node_modules'])
        symlinkSync(path.join(root, name), path.join(folder, name));
    });
    afterEach(async () => {
      await cluster?.close();
      rmSync(folder, { recursive: true });
    });

    /** Deploys a program on a cluster whose time runs 20 times as fast, and whose templates boot such a system. */
    const deploy = async (
      program: string,
      system: Partial<GuestSystem>,
    ): Promise<{ code: number; text: string; told: Record<string, Record<string, unknown>> }> => {
      const world = defaultWorld(3);
      for (const guest of Object.values(world.guests)) Object.assign(guest.system, system);
      cluster = await startCluster({ world, taskMs: 20, timeScale: 20 });
      const app = path.join(folder, 'examples', 'app');
      mkdirSync(app, { recursive: true });
      cpSync(path.join(root, 'examples', 'one-machine', 'cdktf.json'), path.join(app, 'cdktf.json'));
      writeFileSync(path.join(app, 'main.ts'), program);
      const env = { ...environmentFor(engine), ...programAccess(cluster), CI: '1' };
      const args = ['deploy', '--auto-approve', '--outputs-file', 'told.json'];
      const ran = await new Promise<{ code: number; text: string }>(resolve => {
        execFile(cdktfCommand, args, { cwd: app, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code ?? 1) : 0, text: `${stdout}${stderr}` }),
        );
      });
      const told: unknown =
        ran.code === 0 ? JSON.parse(readFileSync(path.join(app, 'told.json'), 'utf8')) : {};
      return { ...ran, told: told as Record<string, Record<string, unknown>> };
    };

    // in the gate the second one, which is like the first, and the late agent are left to the tests of terraform
    test.each(PROGRAMS.filter((_, place) => EVERY || place !== 1))(
      'guests that boot in 40 s: %s of the README runs unchanged',
      async (_, program, stack, output) => {
        const { code, text, told } = await deploy(program, { bootMs: 40_000 });
        expect({ code, text }).toMatchObject({ code: 0 });
        expect(told[stack]?.[output]).toMatch(/^10(\.\d+){3}$/);
      },
      300_000,
    );

    test.each<[string, Partial<GuestSystem>, RegExp]>([
      ['never starts', { bootMs: 0, agent: false }, /no agent answers/],
      [
        'answers nonsense',
        { bootMs: 0, agentSays: 'nonsense' },
        /the agent answers, and no card of the guest has an? [^,.]*address/,
      ],
    ])(
      'an agent that %s fails it with what to do, and the machine stays',
      async (_, system, why) => {
        const impatient = FIRST.replace('agent: true,', `agent: true, timeouts: { agent: '2s' },`);
        const { code, text } = await deploy(impatient, system);
        expect(code).toBe(1);
        expect(text).toMatch(why);
        expect(text).toContain('qemu-guest-agent');
        expect(Object.keys(ourGuests(cluster!))).toEqual(['web']);
      },
      300_000,
    );

    if (!EVERY) return;
    test('an agent that starts 20 s after the guest is waited for', async () => {
      const { code, text, told } = await deploy(FIRST, { bootMs: 0, agentMs: 20_000 });
      expect({ code, text }).toMatchObject({ code: 0 });
      expect(told['web']?.['address']).toMatch(/^10(\.\d+){3}$/);
    }, 300_000);
  });
}
