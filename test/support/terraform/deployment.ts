import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, LocalBackend, TerraformStack } from 'cdktf';
import type { World } from '../../../simulator';
import type { Engine } from './engines';
import { environmentFor } from './engines';
import { askToEnd } from '../cluster/ask';
import { programAccess, takeWrites } from '../cluster/program-access';
import { startCluster } from '../cluster/start-cluster';

export interface EngineRun {
  code: number;
  /** What it printed, both streams. */
  text: string;
}

/** What a plan would do: the actions by address, of those resources that it does not leave alone. */
export interface Planned {
  actions: Record<string, string>;
  /** The triggers of a null resource that would change; an unknown one changes. */
  triggers: (address: string) => string[];
  /** Data sources that are read only when it is applied. */
  deferred: string[];
}

export interface DeploymentOptions {
  world?: World;
  taskMs?: number;
  /** How late the cluster's listing tells what has changed. */
  lagMs?: number;
  /** How many times as fast the cluster's time runs. */
  timeScale?: number;
  /** The stack's name. */
  name?: string;
}

/** A simulated cluster, and a stack that a real engine plans and applies on it, in a folder of its own. */
export async function deployment(engine: Engine, options: DeploymentOptions = {}) {
  const { name = 'demo', ...cluster } = options;
  const simulator = await startCluster({ taskMs: 20, ...cluster });
  const folder = mkdtempSync(path.join(tmpdir(), 'cdktf proxmox '));
  const stackFolder = path.join(folder, 'stacks', name);
  const access: Record<string, string> = programAccess(simulator);
  const env = (): NodeJS.ProcessEnv => ({ ...environmentFor(engine), TF_CLI_ARGS: '-no-color', ...access });
  const run = (...args: string[]): Promise<EngineRun> =>
    new Promise(resolve => {
      const settings = { cwd: stackFolder, env: env(), maxBuffer: 1 << 28 };
      execFile(engine.path, args, settings, (error, stdout, stderr) => {
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
    /** Plans, keeps the plan as `plan.bin`, and tells what it would do to which resources; a failed plan throws. */
    planned: async (...args: string[]): Promise<Planned> => {
      const ran = await run('plan', '-input=false', '-out=plan.bin', ...args);
      if (ran.code !== 0) throw new Error(ran.text);
      return plannedBy((await run('show', '-json', 'plan.bin')).text);
    },
    /** The addresses in the state. */
    state: async (): Promise<string[]> => (await run('state', 'list')).text.split('\n').filter(Boolean),
    /** What somebody does in Proxmox by hand, waited for to its end; a refusal throws. */
    byHand: async (method: string, target: string, form?: Record<string, string>): Promise<void> => {
      const { status, text } = await askToEnd(simulator, method, target, form === undefined ? {} : { form });
      if (status !== 200) throw new Error(`${method} ${target}: ${status} ${text}`);
    },
    /** The outputs of the state, by name. */
    outputs: async (): Promise<Record<string, unknown>> => {
      const { text } = await run('output', '-json');
      const told = JSON.parse(text) as Record<string, { value: unknown }>;
      return Object.fromEntries(Object.entries(told).map(([key, { value }]) => [key, value]));
    },
    /** The writes that the cluster was asked for since the last call. */
    writes: (): string[] => takeWrites(simulator),
    /** The guest of this name; undefined when there is none. */
    guest: (guestName: string) =>
      Object.values(simulator.world.guests).find(({ config }) => config['name'] === guestName),
    /** The names of the guests that carry our mark, in their order. */
    guests: (): string[] =>
      Object.values(simulator.world.guests)
        .filter(({ config }) => config['description']?.includes('<!-- pvr:'))
        .map(({ config }) => config['name'] ?? '')
        .sort(),
    /** Writes a file beside the stack. */
    put: (file: string, text: string): void => writeFileSync(path.join(stackFolder, file), text),
    close: async (): Promise<void> => {
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Deployment = Awaited<ReturnType<typeof deployment>>;

interface ShownChange {
  address: string;
  mode: string;
  change: {
    actions: string[];
    before: { triggers?: Record<string, string> } | null;
    after: { triggers?: Record<string, string> } | null;
  };
}

function plannedBy(json: string): Planned {
  const { resource_changes: all = [] } = JSON.parse(json) as { resource_changes?: ShownChange[] };
  const managed = all.filter(({ mode }) => mode === 'managed');
  const changed = managed.filter(({ change }) => change.actions.join() !== 'no-op');
  return {
    actions: Object.fromEntries(changed.map(({ address, change }) => [address, change.actions.join('+')])),
    triggers: address => {
      const { before, after } = managed.find(shown => shown.address === address)?.change ?? {};
      const [old = {}, now = {}] = [before?.triggers, after?.triggers];
      return Object.keys({ ...old, ...now }).filter(key => old[key] !== now[key]);
    },
    deferred: all.filter(({ mode }) => mode === 'data').map(({ address }) => address),
  };
}
