import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Simulator } from '../../../simulator';
import { cdktfCommand, whyNoCdktf } from '../../support/terraform/cdktf-command';
import { describeEachEngine, environmentFor } from '../../support/terraform/engines';
import { ourGuests } from '../../support/cluster/our-guests';
import { programAccess } from '../../support/cluster/program-access';
import { startCluster } from '../../support/cluster/start-cluster';
import { skipped } from '../../support/skipped';
import { EVERY } from '../../support/turns';

const run = promisify(execFile);
const root = path.resolve(__dirname, '..', '..', '..');

const reason = whyNoCdktf();
if (reason) skipped('cdktf on stacks/', reason);
else {
  describeEachEngine('cdktf on stacks/', engine => {
    let folder: string;
    let cluster: Simulator;
    /** Runs the command as a pipeline does: no terminal. Throws, with all that it printed, when it fails. */
    const cdktf = async (...args: string[]): Promise<string> => {
      const env = { ...environmentFor(engine), ...programAccess(cluster), CI: '1' };
      const { stdout } = await run(cdktfCommand, args, { cwd: folder, env, maxBuffer: 1 << 26 });
      return stdout;
    };

    beforeAll(async () => {
      // What it writes beside cdktf.json does not belong into the clone.
      folder = mkdtempSync(path.join(tmpdir(), 'cdktf stacks '));
      for (const name of ['cdktf.json', 'stacks'])
        cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
      for (const name of ['constructs', 'node_modules'])
        symlinkSync(path.join(root, name), path.join(folder, name));
      cluster = await startCluster({ taskMs: 20 });
    });
    afterAll(async () => {
      await cluster.close();
      rmSync(folder, { recursive: true });
    });

    test('diff shows what deploy would do', async () => {
      expect(await cdktf('diff')).toMatch(/null_resource\.machine_lab_web\W.*will be created/s);
      expect(ourGuests(cluster)).toEqual({});
    }, 300_000);

    // in the gate the examples play it
    if (!EVERY) return;
    test('deploy does it; output tells it; destroy takes it back', async () => {
      await cdktf('deploy', '--auto-approve');
      expect(ourGuests(cluster)).toMatchObject({ web: { memory: '2048' }, worker: { memory: '1024' } });

      const file = path.join(folder, 'outputs.json');
      await cdktf('output', '--skip-synth', '--outputs-file', file);
      const { lab } = JSON.parse(readFileSync(file, 'utf8')) as { lab: Record<string, number> };
      const { web, worker } = ourGuests(cluster);
      expect(lab).toEqual({ 'web-vmid': web?.['vmid'], 'worker-vmid': worker?.['vmid'] });

      await cdktf('destroy', '--auto-approve');
      expect(ourGuests(cluster)).toEqual({});
    }, 300_000);
  });
}
