import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { Image } from '../../../constructs';
import { writes } from '../../support/cluster/end-state';
import { numbersBelow } from '../../support/in-parallel';
import { until, workersIn } from '../../support/processes/shared-lab';
import { deployment } from '../../support/terraform/deployment';
import { describeEachEngine, environmentFor, type Engine } from '../../support/terraform/engines';
import { labStack } from '../../support/terraform/lab-stack';

const ids = numbersBelow(10).map(index => `m${index}`);
const blank = {
  node: 'pve1',
  image: Image.blank(),
  power: 'stopped',
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
} as const;

/** A command in a group of its own, as a shell starts one: a terminal tells each process of the group of Ctrl-C. */
function inForeground({ path }: Engine, args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(path, args, { cwd, env, detached: true });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<{ code: number | null; text: string }>(resolve =>
    child.on('close', code => resolve({ code, text })),
  );
  return { ended, press: () => process.kill(-(child.pid ?? NaN), 'SIGINT'), said: () => text };
}

describeEachEngine('Ctrl-C on an apply of ten machines', engine => {
  test('tells of each what it was doing, and nothing runs on', async () => {
    const lab = await deployment(engine, { taskMs: 60_000 });
    const temporary = mkdtempSync('/tmp/w-');
    try {
      await lab.synth(labStack(Object.fromEntries(ids.map(id => [id, blank]))));
      const env = { ...environmentFor(engine), ...lab.access, TMPDIR: temporary, PVE_RUN: '' };
      const args = ['apply', '-input=false', '-auto-approve', '-no-color'];
      const apply = inForeground(engine, args, lab.folder, env);
      await until(() => ids.every(id => apply.said().includes(`${id}: creating`)));
      apply.press();
      const { code, text } = await apply.ended;
      expect(code).toBe(1);
      // Terraform kills each client there and then, and shows what it had said: what it was doing
      const errors = text.slice(text.indexOf('Error: ')).replace(/[\s│╷╵]+/g, ' ');
      for (const id of ids) expect(errors).toContain(`${id}: creating VM`);
      const sent = writes(lab.simulator).length;
      await until(() => workersIn(temporary).length === 0);
      expect({ files: readdirSync(temporary), late: writes(lab.simulator).slice(sent) }).toEqual({
        ...{ files: [], late: [] },
      });
    } finally {
      await lab.close();
      rmSync(temporary, { recursive: true });
    }
  });
});
