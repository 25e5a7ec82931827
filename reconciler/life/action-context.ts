import { ALWAYS, milliseconds } from '../../spec';
import type { ActionContext } from '../apply/perform';
import type { ObservedGuest } from '../observed';
import type { PveError } from '../pve';
import { span } from '../waits/notice';
import type { MachineRun } from './machine-run';

/** What one action of a machine is done with. */
export function actionContext(machine: MachineRun, guest: ObservedGuest | undefined): ActionContext {
  const { run, pve, signal } = machine;
  const { say, warn, percent } = machine.reporting;
  const { shutdownTimeout, forceStop } = machine.wanted.spec;
  return {
    run,
    machine: machine.id,
    pve,
    say,
    wait: {
      timeoutMs: taskTimeoutMs(machine),
      signal,
      unseen: (error, until) => say(unseenText(error, until)),
      ...(run.tellsPercent && { percent }),
    },
    warn,
    policy: { shutdownMs: milliseconds(shutdownTimeout ?? '60s'), force: forceStop ?? true, say },
    ...(guest ? { guest, madeHere: machine.done.hasMade(guest) } : {}),
  };
}

function taskTimeoutMs({ run, timeLimit }: MachineRun): number {
  const longest = milliseconds(run.clusterSpec.taskTimeout ?? ALWAYS.cluster.taskTimeout);
  return Math.max(1_000, Math.min(longest, timeLimit.until - performance.now()));
}

/** The cluster does not say how far a task is: it may have gone away in the midst of it. */
function unseenText({ said }: PveError, until: number): string {
  const leftMs = until - performance.now();
  const most = `${span(leftMs)}, until ${new Date(Date.now() + leftMs).toISOString()}`;
  return `${said} Proxmox goes on with what it was told. How far it is, is asked again for at most ${most}.`;
}
