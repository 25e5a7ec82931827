import { lstatSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { removeTraces } from '../client/remove-left';
import { onMessages, send, type ToWorker } from '../client/messages';
import { Connections } from './connections';
import { JobRun } from './job-run';
import { Turns } from './machine-turns';

const ALIVE_MS = 1_000;
/** How long a worker stays without a client: Terraform's next step comes sooner. */
const STAY_MS = 3_000;

/**
 * Serves the clients that come to a socket, as the one process that their runs share. Leaves by itself, and leaves
 * nothing behind. Nothing may depend on it: a client that loses it does its job itself.
 */
export function serve(socket: string): void {
  const worker = new Worker(socket);
  const server = createServer(client => worker.take(client));
  // somebody else listens there, or nobody can
  server.on('error', () => process.exit(1));
  process.umask(0o077);
  server.listen(socket, () => worker.listens());
}

class Worker {
  private readonly common = { useShared: new Connections().use, turns: new Turns() };
  private readonly clients = new Set<Socket>();
  private readonly jobs = new Set<JobRun>();
  private leaving: NodeJS.Timeout | undefined;
  private inode: number | undefined;

  constructor(private readonly socket: string) {}

  listens(): void {
    this.inode = this.inodeNow();
    setInterval(() => this.clients.forEach(client => send(client, { kind: 'alive' })), ALIVE_MS).unref();
    this.stayOrLeave();
  }

  take(client: Socket): void {
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
    send(client, { kind: 'hello', pid: process.pid });
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

  /** Another worker may have taken the place of a socket that somebody removed: its socket stays. */
  private async leave(): Promise<void> {
    if (this.inode !== undefined && this.inodeNow() === this.inode) rmSync(this.socket, { force: true });
    await removeTraces(this.socket).catch(() => undefined);
    // somebody may have come just before the socket went: that one is served
    if (this.clients.size === 0 && this.jobs.size === 0) process.exit(0);
  }

  private inodeNow(): number | undefined {
    return lstatSync(this.socket, { throwIfNoEntry: false })?.ino;
  }
}
