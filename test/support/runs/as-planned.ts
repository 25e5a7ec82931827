import { apply } from '../../../reconciler/commands/apply';
import { destroy } from '../../../reconciler/commands/destroy';
import { observe } from '../../../reconciler/commands/observe/observe';
import { Reporter } from '../../../reconciler/report/reporter';
import type { Json, Lab } from '../cluster/lab';
import { TOKEN } from '../cluster/start-cluster';
import { programAccess } from '../cluster/program-access';

/** The verbs of Terraform on the machine `web` of a lab, in this process. Each has a connection of its own. */
export function terraformOn({ simulator }: Pick<Lab, 'simulator'>, as = TOKEN) {
  const wire = { protocol: '1', cluster: '{"name":"lab"}', owner: 'team/lab' };
  const variables = Object.entries(wire).map(([name, text]) => [`PROXMOX_${name.toUpperCase()}`, text]);
  const environment = {
    ...programAccess(simulator),
    PVE_TASK_POLL_INTERVAL: '5ms',
    PVE_TOKEN_ID: as.id,
    PVE_TOKEN_SECRET: as.secret,
    PROXMOX_MACHINE: 'web',
    PROXMOX_ENTRY: '',
    ...(Object.fromEntries(variables) as Record<string, string>),
  };
  const reporter = new Reporter({ write: () => true, level: 'error', json: false, columns: undefined });
  const around = (more: Record<string, string>, input: Json, out: (text: string) => void) => ({
    environment: { ...environment, ...more },
    readInput: () => Promise.resolve(JSON.stringify(input)),
    ...{ out, reporter, signal: new AbortController().signal },
  });
  const errorOf = async (verb: typeof apply, more: Record<string, string>): Promise<string[]> => {
    try {
      await verb(around(more, {}, () => undefined));
      return [];
    } catch (error) {
      return [String(error)];
    }
  };
  return {
    /** The token that a plan gives the machine now. */
    plan: async (want: Json): Promise<string> => {
      let told = '{}';
      await observe(around({}, { ...wire, 'spec.web': JSON.stringify(want) }, text => (told = text)));
      return (JSON.parse(told) as Record<string, string>)['web.token'] ?? '';
    },
    /** Applies with the token of a plan. The error, if any, as text. */
    apply: (want: Json, token: string): Promise<string[]> =>
      errorOf(apply, { PROXMOX_SPEC: JSON.stringify(want), PROXMOX_TOKEN: token }),
    destroy: (): Promise<string[]> => errorOf(destroy, {}),
  };
}
