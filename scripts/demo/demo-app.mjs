// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { environmentFor } from '../engine/engine.mjs';
import { at } from '../setup/root.mjs';
import { tell } from './say.mjs';

/** @typedef {ReturnType<typeof demoApp>} DemoApp */

const EXAMPLE = 'web-and-database';

/**
 * A copy of the example that the tour may edit, and the commands that a user would run in it.
 * @param {import('./stage.mjs').Stage} scene @param {import('../engine/engine.mjs').Engine} engine @param {import('./start-cluster.mjs').Cluster} cluster
 */
export function demoApp({ folder, run }, engine, { access }) {
  const program = path.join(folder, 'main.ts');
  writeFileSync(program, readFileSync(at('examples', EXAMPLE, 'main.ts')));
  writeFileSync(
    path.join(folder, 'cdktf.json'),
    JSON.stringify({
      language: 'typescript',
      app: `"${process.execPath}" "${at('scripts', 'run-app.mjs')}" main.ts`,
      projectId: 'demo',
      sendCrashReports: 'false',
    }),
  );
  const env = { ...environmentFor(engine), ...access, CI: '1', CHECKPOINT_DISABLE: '1' };
  return {
    /** @param {string} from @param {string} to */
    edit(from, to) {
      const text = readFileSync(program, 'utf8');
      if (!text.includes(from)) throw new Error(`${program} has no ${from}`);
      writeFileSync(program, text.replace(from, to));
      tell(`  - ${from}\n  + ${to}`);
    },
    /** Shows what the reconciler says of each machine, and how it ended. @param {string[]} args */
    async cdktf(...args) {
      tell(`$ cdktf ${args.join(' ')}`);
      const started = Date.now();
      const command = at('.engine', 'cdktf-cli', 'node_modules', '.bin', 'cdktf');
      await run([command, ...args], { cwd: folder, env }, line => {
        const said = worthShowing(stripVTControlCharacters(line));
        if (said !== undefined) tell(`  ${said}`);
      });
      tell(`  (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    },
    /** @param {'plan' | 'status'} verb */
    async reconciler(verb) {
      const stack = path.join('cdktf.out', 'stacks', EXAMPLE);
      tell(`$ pve-reconciler ${verb} --spec ${stack}`);
      await run([at('dist', 'reconciler.cjs'), verb, '--spec', stack], { cwd: folder, env }, line =>
        tell(`  ${line}`),
      );
    },
  };
}

/** Of all that the cdktf command prints: what the reconciler does, and Terraform's last word. @param {string} line */
function worthShowing(line) {
  const said = /\(local-exec\): *(?!Executing:|\S+: done )(\S.*)$/.exec(line)?.[1];
  return said ?? /(?:Apply|Destroy) complete!.*|No changes\..*/.exec(line)?.[0];
}
