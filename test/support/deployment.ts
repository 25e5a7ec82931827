import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, LocalBackend, TerraformStack } from 'cdktf';
import type { World } from '../../simulator';
import { defaultWorld, startSimulator } from '../../simulator';
import type { Engine } from './engines';
import { environmentFor } from './engines';

export interface EngineRun {
  code: number;
  /** What it printed, both streams. */
  text: string;
}

export interface DeploymentOptions {
  world?: World;
  taskMs?: number;
  /** The stack's name. */
  name?: string;
}

/** A simulated cluster, and a stack that a real engine plans and applies on it, in a folder of its own. */
export async function deployment(engine: Engine, options: DeploymentOptions = {}) {
  const { world = defaultWorld(3), taskMs = 20, name = 'demo' } = options;
  const root = world.access.users['root@pam'];
  if (root) root.tokens['lab'] = { value: 'lab-secret', privsep: false };
  const simulator = await startSimulator(world, { taskMs, seed: 1, lagMs: 0 });
  const folder = mkdtempSync(path.join(tmpdir(), 'cdktf proxmox '));
  const stackFolder = path.join(folder, 'stacks', name);
  const access: Record<string, string> = {
    PVE_ENDPOINT: simulator.url,
    PVE_TOKEN_ID: 'root@pam!lab',
    PVE_TOKEN_SECRET: 'lab-secret',
    PVE_CA_BUNDLE: simulator.ca,
    PVE_TASK_POLL_INTERVAL: '50ms',
  };
  const env = (): NodeJS.ProcessEnv => ({ ...environmentFor(engine), ...access });
  const run = (...args: string[]): Promise<EngineRun> =>
    new Promise(resolve => {
      const settings = { cwd: stackFolder, env: env(), maxBuffer: 1 << 28 };
      execFile(engine.path, [...args, '-no-color'], settings, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
        resolve({ code, text: `${stdout}${stderr}` });
      });
    });

  return {
    simulator,
    world: simulator.world,
    /** The environment of the runs: tests may change it. */
    access,
    folder: stackFolder,
    run,
    /** Synthesizes what `build` puts into the stack, and has the engine install its providers. */
    synth: async (build: (stack: TerraformStack) => void): Promise<void> => {
      mkdirSync(folder, { recursive: true });
      const app = new App({ outdir: folder });
      const stack = new TerraformStack(app, name);
      new LocalBackend(stack, { path: 'terraform.tfstate' });
      build(stack);
      app.synth();
      if (existsSync(path.join(stackFolder, '.terraform'))) return;
      const init = await run('init', '-input=false');
      if (init.code !== 0) throw new Error(init.text);
    },
    /** Exit 0: no changes; 2: changes; 1: it failed. */
    plan: (...args: string[]): Promise<EngineRun> =>
      run('plan', '-input=false', '-detailed-exitcode', ...args),
    apply: (...args: string[]): Promise<EngineRun> => run('apply', '-input=false', '-auto-approve', ...args),
    destroy: (...args: string[]): Promise<EngineRun> =>
      run('destroy', '-input=false', '-auto-approve', ...args),
    /** The outputs of the state, by name. */
    outputs: async (): Promise<Record<string, unknown>> => {
      const { text } = await run('output', '-json');
      const told = JSON.parse(text) as Record<string, { value: unknown }>;
      return Object.fromEntries(Object.entries(told).map(([key, { value }]) => [key, value]));
    },
    /** The writes that the cluster was asked for since the last call. */
    writes: (): string[] => {
      const lines = simulator.ledger
        .entries()
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path: target }) => `${method} ${target}`);
      simulator.ledger.reset();
      return lines;
    },
    /** The guest of this name; undefined when there is none. */
    guest: (guestName: string) =>
      Object.values(simulator.world.guests).find(({ config }) => config['name'] === guestName),
    /** Writes a file beside the stack. */
    put: (file: string, text: string): void => writeFileSync(path.join(stackFolder, file), text),
    close: async (): Promise<void> => {
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Deployment = Awaited<ReturnType<typeof deployment>>;
