import path from 'node:path';
import { Server, type Socket } from 'node:net';
import { onMessages, send, type ToWorker } from '../client/messages';
import { removeDead, removeSocket } from '../client/socket-file';
import { JobRun } from './job-run';
import { RunsInTurn } from './runs-in-turn';
import { subscribe } from 'node:diagnostics_channel';
import { Connections } from '../run/connections';

const ALIVE_MS = 1_000;
/** How long a worker stays without a client: Terraform's next step comes sooner. */
const STAY_MS = 3_000;

/**
 * Serves the clients that come to a socket, as the one process that their runs share. Its first client listens already,
 * and gives it that. Leaves by itself, and leaves nothing behind. Nothing may depend on it: a client that loses it does
 * its job itself.
 */
export function serve(file: string): void {
  const nobodyLeft = (): never => process.exit(1);
  process.once('disconnect', nobodyLeft);
  process.once('message', (which, server) => {
    if (!(server instanceof Server)) return nobodyLeft();
    process.off('disconnect', nobodyLeft);
    new Worker(file, String(which)).serves(server);
  });
}

class Worker {
  private readonly common = { connections: new Connections(), turns: new RunsInTurn() };
  private readonly clients = new Set<Socket>();
  private readonly jobs = new Set<JobRun>();
  private leaving: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly which: string,
  ) {}

  serves(server: Server): void {
    server.on('connection', client => this.take(client));
    const notLate = endWhereLate();
    const alive = (): void => {
      notLate();
      this.clients.forEach(client => send(client, { kind: 'alive' }));
    };
    setInterval(alive, ALIVE_MS).unref();
    this.stayOrLeave();
  }

  private take(client: Socket): void {
    this.clients.add(client);
    this.stayOrLeave();
    let run: JobRun | undefined;
    client.on('error', () => undefined);
    client.once('close', () => {
      this.clients.delete(client);
      run?.leave();
      this.stayOrLeave();
    });
    onMessages<ToWorker>(client, message => {
      if (message.kind === 'interrupt') return run?.interrupt(message.name);
      const begun = (run = new JobRun(client, message.job, this.common));
      // its end may have come with it, where this process was stopped meanwhile: then nobody wants it any more
      setImmediate(() => client.destroyed || client.readableEnded || void this.work(begun));
    });
    send(client, { kind: 'hello' });
  }

  private async work(run: JobRun): Promise<void> {
    this.jobs.add(run);
    void run.toItsEnd();
    // a write that is not answered keeps no worker: it is as if the process had died (docs/adr/0014)
    await run.isOver;
    this.jobs.delete(run);
    this.stayOrLeave();
  }

  private stayOrLeave(): void {
    clearTimeout(this.leaving);
    if (this.clients.size > 0 || this.jobs.size > 0) return;
    this.leaving = setTimeout(() => void this.leave(), STAY_MS);
  }

  /** The path may be another worker's by now: that one's socket stays. */
  private async leave(): Promise<void> {
    try {
      removeSocket(this.file, this.which);
      await removeDead(path.dirname(this.file));
    } catch {
      // the folder is gone, or nothing may be removed from it
    }
    // somebody may have come just before the socket went: that one is served
    if (this.clients.size === 0 && this.jobs.size === 0) process.exit(0);
  }
}

/** Less than a client waits for a word, by so much that what was begun before has left by then (client/converse.ts). */
const LATE_MS = 8_000;

/**
 * Ends this process where it stood still for so long that a client may have left it, to do its job itself: before one
 * more request leaves. What comes back is to be called each second.
 */
function endWhereLate(): () => void {
  let last = performance.now();
  const look = (): void => {
    if (performance.now() - last > LATE_MS) process.exit(1);
  };
  // undici says so just before it writes a request to its connection, whatever that has waited for
  subscribe('undici:client:sendHeaders', look);
  return () => {
    look();
    last = performance.now();
  };
}
