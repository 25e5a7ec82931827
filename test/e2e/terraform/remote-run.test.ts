import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Image, Machine, ProxmoxCluster } from '../../../constructs';
import { bareRunner, noTrace } from '../../support/terraform/bare-runner';
import { deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { skipped } from '../../support/skipped';

const reason = noTrace();
if (reason) skipped('a remote run', reason);
else {
  describeEachEngine('a remote run', engine => {
    test('plans with the stack alone, and applies that plan in another folder', async () => {
      const lab = await deployment(engine);
      const runner = bareRunner(engine, lab.access);
      try {
        await lab.synth(stack => {
          new ProxmoxCluster(stack, 'lab');
          new Machine(stack, 'web', { image: Image.fromTemplate('ubuntu-22.04') });
        });
        rmSync(path.join(lab.folder, '.terraform'), { recursive: true });
        rmSync(path.join(lab.folder, '.terraform.lock.hcl'));
        const [first, second] = [runner.folder('first'), runner.folder('second')];
        cpSync(lab.folder, first, { recursive: true });
        rmSync(lab.folder, { recursive: true });
        expect(await runner.run(first, 'init', '-input=false', runner.mirror)).toMatchObject({ code: 0 });
        expect(await runner.run(first, 'plan', '-input=false', '-out=saved.tfplan')).toMatchObject({
          code: 0,
        });
        expect(runner.opened().join('\n')).toMatch(/reconciler\.[0-9a-f]+\.cjs/);
        expect(runner.ofRepository(runner.opened())).toEqual([]);
        expect(lab.guest('web')).toBeUndefined();

        cpSync(first, second, { recursive: true, filter: file => path.basename(file) !== '.terraform' });
        rmSync(first, { recursive: true });
        expect(await runner.run(second, 'init', '-input=false', runner.mirror)).toMatchObject({ code: 0 });
        expect(await runner.run(second, 'apply', '-input=false', 'saved.tfplan')).toMatchObject({ code: 0 });
        expect(runner.opened().join('\n')).toMatch(/reconciler\.[0-9a-f]+\.cjs/);
        expect(runner.ofRepository(runner.opened())).toEqual([]);
        expect(lab.guest('web')).toBeDefined();
      } finally {
        runner.close();
        await lab.close();
      }
    }, 180_000);
  });
}
