import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apps } from '../../support/constructs/app-states';
import { programFolder, runProgram } from '../../support/constructs/program-folder';
import { run } from '../../support/processes/cli';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';

const root = path.resolve(__dirname, '..', '..', '..');
const nameOf = (app: string): string => app.replaceAll('/', '-');

describeEachEngine('the examples as HCL', engine => {
  let lab: Deployment;
  let program: Awaited<ReturnType<typeof programFolder>>;
  beforeAll(async () => {
    lab = await deployment(engine);
    mkdirSync(lab.folder, { recursive: true });
    const source = apps.map(
      app => `process.env.CDKTF_OUTDIR = ${JSON.stringify(nameOf(app))}; require('./${app}/main.ts');`,
    );
    const room = path.join(root, 'constructs');
    program = await programFolder(source.join('\n'), { 'cdktf-proxmox': room });
    for (const file of ['reconciler.cjs', 'reconciler-program.cjs'])
      copyFileSync(path.join(root, 'dist', file), path.join(program.folder, 'dist', file));
    const { status, stderr } = runProgram(program.folder);
    if (status !== 0) throw new Error(stderr);
  }, 120_000);
  afterAll(async () => {
    await lab.close();
    program.close();
  });

  test.each(apps)(
    '%s: the first plan there changes nothing, nor the first one back, and the outputs are the same',
    async app => {
      const done = async (at: string, ...args: string[]): Promise<string> => {
        const { code, text } = await lab.run(`-chdir=${at}`, ...args);
        if (code !== 0) throw new Error(text.slice(-6000));
        return text;
      };
      const stacks = path.join(program.folder, nameOf(app), 'stacks');
      const [name = ''] = readdirSync(stacks);
      const stack = path.join(stacks, name);
      await done(stack, 'init', '-input=false');
      await done(stack, 'apply', '-input=false', '-auto-approve');
      const outputs = await done(stack, 'output', '-json');
      const before = path.join(program.folder, `${nameOf(app)}.tfstate`);
      writeFileSync(before, await done(stack, 'state', 'pull'));

      const place = path.join(program.folder, `${nameOf(app)}-hcl`);
      expect(await run(['module', '--from', stack, '--out', place])).toMatchObject({ code: 0 });
      await done(place, 'init', '-input=false');
      const plan = await done(place, 'plan', '-input=false', '-out=saved.plan');
      expect(plan).toContain('Plan: 0 to add, 0 to change, 0 to destroy.');
      expect(plan).not.toContain('Changes to Outputs');
      lab.writes();
      await done(place, 'apply', '-input=false', 'saved.plan');
      expect(await done(place, 'output', '-json')).toBe(outputs);
      await done(place, 'plan', '-input=false', '-detailed-exitcode');

      // and back, as docs/module.md says
      await done(stack, 'state', 'push', '-force', before);
      await done(stack, 'plan', '-input=false', '-detailed-exitcode');
      expect(await done(stack, 'output', '-json')).toBe(outputs);
      expect(lab.writes()).toEqual([]);
      await done(stack, 'destroy', '-input=false', '-auto-approve');
      expect(lab.guests()).toEqual([]);
    },
    300_000,
  );
});
