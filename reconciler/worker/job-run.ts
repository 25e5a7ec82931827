import type { Socket } from 'node:net';
import type { InterruptName, Job } from '../client/messages';
import { send } from '../client/messages';
import type { Interrupts } from '../commands/interrupt';
import { runVerb, type Host } from '../commands/run-verb';
import { VERBS } from '../commands/verbs';
import type { UseShared } from '../input/surroundings';
import { Interruption } from './interruption';
import type { Turns } from './turns';

/** What the jobs of a worker have in common. */
export interface Common {
  useShared: UseShared;
  turns: Turns;
}

/** One job of a client, from its message to its exit code. */
export class JobRun {
  private readonly interruption = new Interruption();
  /** Resolves when the client was told how it ended: from then on nobody waits for what is left of it. */
  private readonly told: Promise<void>;
  private tell: (code: number) => void = () => undefined;

  constructor(
    private readonly socket: Socket,
    private readonly job: Job,
    private readonly common: Common,
  ) {
    this.told = new Promise(resolve => {
      this.tell = code => {
        this.tell = () => undefined;
        send(socket, { kind: 'end', code });
        resolve();
      };
    });
  }

  /** Does it, and tells its client how it ended. Never fails. */
  async toItsEnd(): Promise<void> {
    const { words, environment } = this.job;
    const [name, ...flags] = words;
    const verb = VERBS.find(each => each.name === name);
    if (verb === undefined) return this.tell(2);
    const quiet = flags.includes('--quiet') || flags.includes('-q');
    const options = { json: flags.includes('--json'), quiet };
    const host = this.host();
    const run = (): Promise<void> => Promise.race([runVerb({ verb, options, words: [] }, host), this.told]);
    const { PROXMOX_OWNER: owner, PROXMOX_MACHINE: machine } = environment;
    const writes = name === 'apply' || name === 'destroy';
    if (!writes) await run();
    else await this.common.turns.take(JSON.stringify([owner, machine]), this.interruption.came, run);
    this.tell(Number(host.exitCode));
  }

  /** Its client was interrupted, or is gone: it ends at its next safe point. */
  interrupt(name: InterruptName): void {
    this.interruption.give(name);
  }

  private host(): Host {
    const { job, socket, common } = this;
    const { columns } = job;
    const interrupts: Interrupts = {
      listen: interrupt => this.interruption.listen(interrupt),
      end: code => this.tell(code),
    };
    return {
      env: job.environment,
      stdin: [job.input],
      stdout: { write: text => send(socket, { kind: 'out', text }) },
      stderr: {
        write: text => send(socket, { kind: 'err', text }),
        ...(columns !== undefined && { isTTY: true, columns }),
      },
      interrupts,
      useShared: common.useShared,
    };
  }
}
