import { mkdtempSync, rmSync } from 'node:fs';
import type { Simulator } from '../../../simulator';
import { programAccess } from '../cluster/program-access';
import type { Json } from '../cluster/lab';
import { TOKEN } from '../cluster/start-cluster';
import { start } from './cli';
import { workersIn } from './shared-lab';

/** How the processes of a run work: with a worker that they share, or each alone. */
export const MODES = ['shared', 'alone'] as const;
export type Mode = (typeof MODES)[number];

/** The verbs of Terraform on a cluster, each a process of its own. They give what was complained of. */
export interface TerraformVerbs {
  /** The tokens that a plan gives the machines now, by id. */
  plan: (wants: Json[]) => Promise<Record<string, string>>;
  apply: (want: Json, token: string) => Promise<string[]>;
  destroy: (id: string) => Promise<string[]>;
}

/** Starts the built product as Terraform does. Its worker, if it has one, is nobody else's. */
export class TerraformProcesses {
  // a short path: sockets allow no long one
  private readonly temporary = mkdtempSync('/tmp/w-');

  constructor(private readonly mode: Mode) {}

  /** `as`: whose token it has. A worker shares nothing between two callers. */
  on(simulator: Pick<Simulator, 'url' | 'ca'>, as = TOKEN, owner = 'team/lab'): TerraformVerbs {
    const wire = { protocol: '1', cluster: '{"name":"lab"}', owner };
    const environment = {
      ...programAccess(simulator),
      PVE_TOKEN_ID: as.id,
      PVE_TOKEN_SECRET: as.secret,
      PVE_RUN: this.mode,
      TMPDIR: this.temporary,
    };
    const machine = (id: string) => ({
      ...environment,
      PROXMOX_PROTOCOL: wire.protocol,
      PROXMOX_CLUSTER: wire.cluster,
      PROXMOX_OWNER: wire.owner,
      PROXMOX_MACHINE: id,
      PROXMOX_ENTRY: '',
    });
    return {
      plan: async wants => {
        const specs = wants.map(want => [`spec.${idOf(want)}`, JSON.stringify(want)]);
        const query = { ...wire, ...(Object.fromEntries(specs) as Json) };
        const { code, stdout } = await start(['observe'], environment, JSON.stringify(query)).ended;
        // a plan that fails ends Terraform; here the applies go on without a token, and read all
        const told = code === 0 ? (JSON.parse(stdout) as Record<string, string>) : {};
        return Object.fromEntries(wants.map(want => [idOf(want), told[`${idOf(want)}.token`] ?? '']));
      },
      apply: (want, token) => {
        const more = { PROXMOX_SPEC: JSON.stringify(want), PROXMOX_TOKEN: token };
        return complaintsOf(['apply'], { ...machine(idOf(want)), ...more });
      },
      destroy: id => complaintsOf(['destroy'], machine(id)),
    };
  }

  /** Ends the workers that are left. */
  end(): void {
    for (const pid of workersIn(this.temporary)) process.kill(pid, 'SIGKILL');
    rmSync(this.temporary, { recursive: true });
  }
}

const idOf = (want: Json): string => String(want['id']);

/** A refusal is told as a run in this process tells it. */
async function complaintsOf(words: string[], env: Record<string, string>): Promise<string[]> {
  const { code, stderr } = await start(words, env).ended;
  return code === 0 ? [] : [`${code === 3 ? 'RefusedError: ' : `exit ${code}: `}${stderr}`];
}
