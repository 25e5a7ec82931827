import type { Socket } from 'node:net';
import { send, type InterruptName, type Job } from '../client/messages';
import type { Interrupts } from '../commands/interrupt';
import { runVerb, type Host } from '../commands/run-verb';
import { VERBS } from '../commands/verbs';
import type { Connections } from '../run/connections';
import type { Turn, RunsInTurn } from './runs-in-turn';

/** What the jobs of a worker have in common. */
export interface Common {
  connections: Connections;
  turns: RunsInTurn;
}

/** Said where somebody left an earlier run, or two are at work on one machine. */
const WAITS = 'waits until an earlier run of this machine has ended.';

/** How long a first interrupt waits for answers: while its client waits too, and where nobody does any more. */
const GRACE_MS = { waited: 10_000, left: 4_000 };

/** One job of a client, from its message to its exit code. */
export class JobRun {
  private readonly interruption = new Interruption();
  private isTold = false;
  private isLeft = false;
  private giveUp: () => void = () => undefined;
  /** Resolves when nobody waits for it any more, though an answer from Proxmox may still be on its way. */
  readonly isOver = new Promise<void>(resolve => (this.giveUp = resolve));

  constructor(
    private readonly socket: Socket,
    private readonly job: Job,
    private readonly common: Common,
  ) {}

  /** Does it, and tells its client how it ended. Its turn lasts until nothing of it runs any more. Never fails. */
  async toItsEnd(): Promise<void> {
    const { words, environment } = this.job;
    const [name] = words;
    const verb = VERBS.find(each => each.name === name);
    if (verb === undefined) return this.tell(2);
    const { PROXMOX_OWNER: owner, PROXMOX_MACHINE: machine } = environment;
    const writes = name === 'apply' || name === 'destroy';
    const turn = writes ? this.common.turns.take(JSON.stringify([owner, machine])) : undefined;
    const host = { ...this.host(), ...this.waitFor(turn) };
    await runVerb({ verb, options: optionsIn(words), words: [] }, host);
    turn?.end();
    this.tell(Number(host.exitCode));
  }

  /** Its client was interrupted: it ends at its next safe point. */
  interrupt(name: InterruptName): void {
    this.interruption.give(name);
  }

  /** Its client is gone: it ends at its next safe point. */
  leave(): void {
    this.isLeft = true;
    this.interruption.leave();
  }

  /** From then on nobody waits for what is left of it. */
  private tell(code: number): void {
    if (!this.isTold) send(this.socket, { kind: 'end', code });
    this.isTold = true;
    this.giveUp();
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
      graceMs: () => (this.isLeft ? GRACE_MS.left : GRACE_MS.waited),
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
      connections: common.connections,
    };
  }
}

/** The flags that a client of a worker may have. */
export function optionsIn(words: readonly string[]): { json: boolean; quiet: boolean } {
  return { json: words.includes('--json'), quiet: words.includes('--quiet') || words.includes('-q') };
}

/** The interrupts of one job. One that comes before anybody listens is kept. */
class Interruption {
  /** Resolves with the first. */
  readonly came: Promise<void>;
  private tellFirst: () => void = () => undefined;
  private hasCome = false;
  private readonly given: InterruptName[] = [];
  private listener: ((name: InterruptName) => void) | undefined;

  constructor() {
    this.came = new Promise(resolve => (this.tellFirst = resolve));
  }

  give(name: InterruptName): void {
    this.hasCome = true;
    this.tellFirst();
    if (this.listener) this.listener(name);
    else this.given.push(name);
  }

  /** Nobody waits for the job any more: that is an interrupt, unless one came before. It is never a second one. */
  leave(): void {
    if (!this.hasCome) this.give('SIGTERM');
  }

  /** Calls this for each, until what comes back is called. */
  listen(listener: (name: InterruptName) => void): () => void {
    this.listener = listener;
    this.given.splice(0).forEach(listener);
    return () => (this.listener = undefined);
  }
}
