import type { Socket } from 'node:net';
import type { InterruptName, Job } from '../client/messages';
import { send } from '../client/messages';
import type { Interrupts } from '../commands/interrupt';
import { runVerb, type Host } from '../commands/run-verb';
import { VERBS } from '../commands/verbs';
import type { UseShared } from '../input/surroundings';
import { Interruption } from './interruption';
import type { Turn, Turns } from './turns';

/** What the jobs of a worker have in common. */
export interface Common {
  useShared: UseShared;
  turns: Turns;
}

/** Said where somebody left an earlier run, or two are at work on one machine. */
const WAITS = 'waits until an earlier run of this machine has ended.';

/** One job of a client, from its message to its exit code. */
export class JobRun {
  private readonly interruption = new Interruption();
  private isTold = false;

  constructor(
    private readonly socket: Socket,
    private readonly job: Job,
    private readonly common: Common,
  ) {}

  /** Does it, and tells its client how it ended. Its turn lasts until nothing of it runs any more. Never fails. */
  async toItsEnd(): Promise<void> {
    const { words, environment } = this.job;
    const [name, ...flags] = words;
    const verb = VERBS.find(each => each.name === name);
    if (verb === undefined) return this.tell(2);
    const quiet = flags.includes('--quiet') || flags.includes('-q');
    const options = { json: flags.includes('--json'), quiet };
    const { PROXMOX_OWNER: owner, PROXMOX_MACHINE: machine } = environment;
    const writes = name === 'apply' || name === 'destroy';
    const turn = writes ? this.common.turns.take(JSON.stringify([owner, machine])) : undefined;
    const host = { ...this.host(), ...this.waitFor(turn) };
    await runVerb({ verb, options, words: [] }, host);
    turn?.end();
    this.tell(Number(host.exitCode));
  }

  /** Its client was interrupted: it ends at its next safe point. */
  interrupt(name: InterruptName): void {
    this.interruption.give(name);
  }

  /** Its client is gone: it ends at its next safe point. */
  leave(): void {
    this.interruption.leave();
  }

  /** From then on nobody waits for what is left of it. */
  private tell(code: number): void {
    if (!this.isTold) send(this.socket, { kind: 'end', code });
    this.isTold = true;
  }

  /** An interrupt ends the wait: the run then sees it before it begins. */
  private waitFor(turn: Turn | undefined): Pick<Host, 'notice' | 'turn'> {
    if (turn?.before === undefined) return {};
    return { notice: WAITS, turn: Promise.race([turn.before, this.interruption.came]) };
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
