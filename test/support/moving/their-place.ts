import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Simulator, World } from '../../../simulator';
import { defaultWorld } from '../../../simulator';
import { programAccess } from '../cluster/program-access';
import { TOKEN } from '../cluster/start-cluster';
import type { EngineRun } from '../terraform/deployment';
import { environmentFor, type Engine } from '../terraform/engines';

/** The snippet that guests of the old code read: their provider would upload it by SSH. */
const SNIPPET = '#cloud-config\nhostname: from-a-snippet\n';

/** A cluster with room for all guests of the old code, and with the snippet that some of them read. */
export function worldForThem(): World {
  const world = defaultWorld(3);
  for (const node of world.nodes) node.memory = 256 * 1024 ** 3;
  world.volumes.push({
    volid: 'shared:snippets/user.yaml',
    storage: 'shared',
    node: null,
    content: 'snippets',
    format: 'snippet',
    size: SNIPPET.length,
    ctime: 1_700_000_000,
    text: SNIPPET,
  });
  return world;
}

/** A folder with the old code, that bpg's provider plans and applies on the cluster. */
export function theirPlace(engine: Engine, simulator: Simulator, files: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'old place '));
  const authority = path.join(folder, 'authority.pem');
  writeFileSync(authority, simulator.ca);
  for (const file of files) cpSync(path.join(__dirname, 'bpg', file), path.join(folder, file));
  const env = {
    ...environmentFor(engine),
    ...programAccess(simulator),
    TF_CLI_ARGS: '-no-color',
    TF_VAR_endpoint: simulator.url,
    TF_VAR_token: `${TOKEN.id}=${TOKEN.secret}`,
    SSL_CERT_FILE: authority,
  };
  const run = (...args: string[]): Promise<EngineRun> =>
    new Promise(resolve => {
      execFile(engine.path, args, { cwd: folder, env, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
        resolve({ code, text: `${stdout}${stderr}` });
      });
    });
  const must = async (...args: string[]): Promise<string> => {
    const { code, text } = await run(...args);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${text}`);
    return text;
  };
  return {
    folder,
    run,
    init: () => must('init', '-input=false'),
    apply: () => must('apply', '-input=false', '-auto-approve', '-parallelism=20'),
    /** Exit 0: no changes; 2: changes. */
    plan: () => run('plan', '-input=false', '-detailed-exitcode'),
    /** The state as text: `terraform show -json`. */
    show: () => must('show', '-json'),
    put: (file: string, text: string): void => writeFileSync(path.join(folder, file), text),
    remove: (file: string): void => rmSync(path.join(folder, file)),
    close: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}

export type TheirPlace = ReturnType<typeof theirPlace>;
