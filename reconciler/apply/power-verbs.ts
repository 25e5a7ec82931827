import type { LostVolume } from '../../spec';
import type { Objection } from '../action';
import { isHibernated } from '../guest/hibernated';
import { lostByForce } from '../guest/losses';
import { endOfStillness, stillWord } from '../guest/stands-still';
import { takeBackLine } from '../guest/take-back';
import type { ObservedGuest } from '../observed';
import { sameMachine } from '../observe/same-guest';
import type { GuestStatus, PowerVerb } from '../pve';
import { lossesList } from '../plan/losses-text';
import { changePower, PveError, readStatus, steady, waitUntil } from '../pve';
import type { ActionContext } from './perform';
import { changePowerTo, cutPower, secondsOf } from './change-power';

type QemuState = 'running' | 'paused' | 'crashed' | 'stopped' | 'suspended';

/** What is done in a state: the verb; nothing, because it is so already; or another verb has to come first. */
type Answer = 'do' | 'done' | 'resume' | 'start' | 'stop';

interface VerbRow {
  doing: string;
  did: string;
  answers: Record<QemuState, Answer>;
}

// after what it cannot go on from, only a new start helps (assumed).
// Proxmox neither shuts down nor reboots a guest that is paused, and takes no start of it (behaviour.md §7)
export const POWER_VERBS: Record<PowerVerb, VerbRow> = {
  start: row('starting', 'runs', ['done', 'resume', 'stop', 'do', 'do']),
  stop: row('stopping', 'is off', ['do', 'do', 'do', 'done', 'done']),
  shutdown: row('shutting down', 'is off', ['do', 'resume', 'stop', 'done', 'done']),
  reboot: row('rebooting', 'was rebooted', ['do', 'resume', 'stop', 'start', 'start']),
  reset: row('resetting', 'was reset', ['do', 'resume', 'stop', 'start', 'start']),
  suspend: row('pausing', 'is paused', ['do', 'done', 'stop', 'start', 'done']),
  resume: row('resuming', 'runs', ['done', 'do', 'stop', 'start', 'do']),
};

type AnswersByState = readonly [
  running: Answer,
  paused: Answer,
  crashed: Answer,
  stopped: Answer,
  suspended: Answer,
];

function row(
  doing: string,
  did: string,
  [running, paused, crashed, stopped, suspended]: AnswersByState,
): VerbRow {
  return { doing, did, answers: { running, paused, crashed, stopped, suspended } };
}

const STANDS: Record<QemuState, string> = {
  running: 'runs',
  paused: 'is paused',
  crashed: 'cannot go on',
  stopped: 'is off',
  suspended: 'is suspended to disk',
};

/** How a verb ended: done now, so before, or not to be done at all. */
export type PowerEnd = { kind: 'did' | 'done'; stands: string } | { kind: 'refused'; objection: Objection };

/**
 * Does one thing to the power of a guest that was found to be ours. It is read again directly before the write.
 * `comesBack` throws where one that runs would not come back from a reboot: Proxmox finds that out once it is off.
 */
export async function doPower(
  verb: PowerVerb,
  guest: ObservedGuest,
  context: ActionContext,
  comesBack: () => Promise<void>,
): Promise<PowerEnd> {
  const { run, pve } = context;
  const { vmid, node, template } = guest;
  const place = `VM ${vmid} on ${node}`;
  if (template)
    return refused('template', `${place} is a template, and never runs.`, 'Name another machine.');
  const standing = standingOf(await readStatus(pve, guest));
  const what = POWER_VERBS[verb].answers[standing];
  if (what === 'done') return { kind: 'done', stands: STANDS[standing] };
  if (what !== 'do')
    return refused('power', `${place} ${STANDS[standing]}: it takes no ${verb}.`, `Do power ${what} first.`);
  if (verb === 'reboot') {
    await comesBack();
    // without one it is shut down, and not started
    await run.needQuorumNow();
  }
  const read = await sameMachine(pve, guest);
  const lost = BRINGS_PENDING.includes(verb) && !isHibernated(read) ? lostByForce(read) : [];
  if (lost.length > 0) return losing(verb, read, lost);
  context.say(`${POWER_VERBS[verb].doing} ${place}`);
  await send(verb, read, context);
  return { kind: 'did', stands: POWER_VERBS[verb].did };
}

/** PVE: what waits takes effect with a start as with a stop (behaviour.md §4); a reset and a waking leave it. */
const BRINGS_PENDING: readonly PowerVerb[] = ['start', 'stop', 'shutdown', 'reboot'];

/** Nobody asked for the end of a disk here: somebody left it waiting in Proxmox. */
function losing(verb: PowerVerb, guest: ObservedGuest, lost: LostVolume[]): PowerEnd {
  const { vmid, node } = guest;
  const slots = lost.map(({ slot }) => slot);
  const detail = `power ${verb} of VM ${vmid} on ${node} would also delete ${lossesList({ volumes: lost, snapshots: [] })}: somebody has left that waiting in Proxmox.`;
  const remedy = `To keep it, take that back first (${takeBackLine(guest, slots)}), and run this again: that is safe. Where it is meant: qm ${verb} ${vmid} on ${node}.`;
  return refused('more-is-lost', detail, remedy);
}

async function send(verb: PowerVerb, guest: ObservedGuest, context: ActionContext): Promise<unknown> {
  const { pve, policy, wait } = context;
  if (verb === 'start') return changePowerTo(pve, guest, 'running', policy, wait);
  if (verb === 'shutdown') return changePowerTo(pve, guest, 'stopped', policy, wait);
  if (verb === 'stop') return cutPower(pve, guest, wait);
  if (verb === 'reboot') return reboot(guest, context);
  return changePower(pve, guest, verb, {}, wait);
}

async function reboot(guest: ObservedGuest, { pve, policy, wait }: ActionContext): Promise<void> {
  await changePower(pve, guest, 'reboot', { timeout: secondsOf(policy) }, wait);
  // PVE: the task ends with the shutdown; its clean-up starts the guest afterwards
  const pauses = steady(pve.config.poll);
  const isOn = async (): Promise<true | undefined> =>
    (await readStatus(pve, guest)).status === 'running' || undefined;
  if (await waitUntil(isOn, { pauses, until: performance.now() + wait.timeoutMs, signal: wait.signal }))
    return;
  const path = `/nodes/${guest.node}/qemu/${guest.vmid}/status/current`;
  throw new PveError('failed', {
    method: 'GET',
    path,
    text: 'it was shut down and is not on again in time. power start starts it; to run it again is safe',
  });
}

function standingOf({ status, qmpstatus, lock }: GuestStatus): QemuState {
  if (status === 'stopped') return lock === 'suspended' ? 'suspended' : 'stopped';
  // recording 70: a reset of a paused guest leaves it in front of its first instruction
  const end = endOfStillness(stillWord({ status, qmpstatus, uptime: Infinity }));
  if (end === undefined) return 'running';
  return end === 'resume' ? 'paused' : 'crashed';
}

function refused(why: string, detail: string, remedy: string): PowerEnd {
  return { kind: 'refused', objection: { why, detail, remedy, changed: 'nothing' } };
}
