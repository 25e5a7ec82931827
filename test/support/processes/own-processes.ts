import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Json } from '../cluster/lab';
import { desiredJson } from '../cluster/lab';
import { TOKEN } from '../cluster/start-cluster';
import { runMode } from './cli';

/** What `npm run build` made of the reconciler. */
const PROGRAM = path.resolve(__dirname, '..', '..', '..', 'dist', 'reconciler.cjs');

/** Few polls: whoever dies at each request has to die less often between two of them. */
const CLUSTER = { name: 'lab', pollFloor: '80ms', pollCeiling: '80ms' };

/** A run of the product as a process. `ended` gives what it complained of; undefined when it was killed. */
export interface OwnProcess {
  kill(): void;
  ended: Promise<string[] | undefined>;
}

interface Reachable {
  url: string;
  ca: string;
}

/** Starts the built product as real processes, as Terraform and people do. */
export class OwnProcesses {
  private readonly children = new Set<ChildProcess>();

  /** Brings one machine to what is wanted, as Terraform's apply does; without one, destroys `web`. */
  one(to: Reachable, machine: Json | undefined, env: Record<string, string> = {}): OwnProcess {
    const id = machine?.['id'] ?? 'web';
    return this.start(to, [machine ? 'apply' : 'destroy'], {
      ...env,
      PROXMOX_PROTOCOL: '1',
      PROXMOX_CLUSTER: JSON.stringify(CLUSTER),
      PROXMOX_OWNER: 'team/lab',
      PROXMOX_MACHINE: String(id),
      PROXMOX_ENTRY: '',
      PROXMOX_TOKEN: '',
      PROXMOX_SPEC: JSON.stringify(machine ?? {}),
    });
  }

  /** Brings a fleet to what is wanted, as people do. */
  fleet(to: Reachable, machines: Json[]): OwnProcess {
    return this.start(to, ['reconcile', '--spec', '-'], {}, JSON.stringify(desiredJson(machines, CLUSTER)));
  }

  /** Brings a whole desired state about, as people do. */
  document(to: Reachable, document: Json): OwnProcess {
    const cluster = { ...(document['cluster'] as Json), ...CLUSTER };
    return this.start(to, ['reconcile', '--spec', '-'], {}, JSON.stringify({ ...document, cluster }));
  }

  /** Also ends what a failed test left running. */
  end(): void {
    for (const child of this.children) child.kill('SIGKILL');
  }

  private start({ url, ca }: Reachable, args: string[], env: Record<string, string>, input = ''): OwnProcess {
    const access = {
      PATH: process.env['PATH'] ?? '',
      ...runMode(),
      PVE_ENDPOINT: url,
      PVE_CA_BUNDLE: ca,
      PVE_TOKEN_ID: TOKEN.id,
      PVE_TOKEN_SECRET: TOKEN.secret,
    };
    const child = spawn(process.execPath, [PROGRAM, ...args, '--quiet'], { env: { ...access, ...env } });
    this.children.add(child);
    let said = '';
    child.stderr.on('data', text => (said += text));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const ended = new Promise<string[] | undefined>(resolve =>
      child.on('close', (code, signal) => {
        this.children.delete(child);
        if (signal !== null) return resolve(undefined);
        resolve(code === 0 ? [] : [`exit ${code}: ${said}`]);
      }),
    );
    return { kill: () => child.kill('SIGKILL'), ended };
  }
}
