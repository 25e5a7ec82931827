import { sourceIds } from '../../spec';
import { startsGuest, type Action, type MachinePlan } from '../action';
import type { Run } from '../run/run';
import { goesLocked, lockText, partlyThere, waitForLock } from '../waits/guest-locks';
import { nameAmongAll } from '../run/made-ids';
import { NO_QUORUM } from '../waits/quorum-watch';
import type { ObservedGuest, ObservedMachine } from '../observed';
import { changesGuest, makesGuest, taskText, turnsAll, type RunningTask } from '../waits/running-task';
import { NOT_THERE_YET, sourceCandidates } from '../placement/source';
import { waitForSource } from './wait-for-source';
import { movesNewGuest, type Concerns } from '../waits/running-tasks';
import type { Waiting } from '../waits/waiting';
import type { Wanted } from '../run/wanted';

/** What one machine must wait for before something is done to it, and what a plan says of that. */
export class Hindrances {
  constructor(
    private readonly run: Run,
    private readonly wanted: Wanted,
    private readonly waiting: Waiting,
  ) {}

  /** Waits until what is there can be planned for: made or moved by nobody, and whole. True: read it again. */
  async untilWhole(have: ObservedMachine): Promise<boolean> {
    const { run, waiting } = this;
    if (have.kind === 'absent') {
      if (await run.runningTasks.wait(this.concerns(have), waiting, this.mayBe)) return true;
      if (have.making && (await waitForLock(run, have.making, waiting))) return true;
      return (await this.untilQuorate()) || waitForSource(run, this.wanted, waiting);
    }
    const partly = partlyThere(have);
    if (partly !== undefined) return waitForLock(run, partly, waiting);
    return this.untilTemplate(have);
  }

  /** PVE says that a guest is a template before its disks are bases that can be cloned (behaviour.md §6). */
  private async untilTemplate(have: ObservedMachine): Promise<boolean> {
    if (!('guest' in have) || !have.guest.template) return false;
    const { node, vmid } = have.guest;
    const { runningTasks } = this.run;
    await runningTasks.readOn([node]);
    return runningTasks.wait(task => task.type === 'qmtemplate' && changesGuest(task, vmid), this.waiting);
  }

  /** Waits until what is planned can be written. True: read it again. */
  async untilFree(have: ObservedMachine, { actions }: MachinePlan): Promise<boolean> {
    if (await this.untilQuorate()) return true;
    // what is made anew needs its source too, and before the old one goes
    const isMade = have.kind === 'absent' || actions.some(({ kind }) => kind === 'destroy');
    if (isMade && (await waitForSource(this.run, this.wanted, this.waiting))) return true;
    if (!('guest' in have)) return false;
    await this.readTasksOf(have);
    if (await this.run.runningTasks.wait(this.concerns(have, actions), this.waiting)) return true;
    return !passesLock(have, actions) && waitForLock(this.run, have.guest, this.waiting);
  }

  /** What writers would wait for now, for people: reads who is at work on the guest, and waits for nobody. */
  async texts(have: ObservedMachine, actions: readonly Action[]): Promise<string[]> {
    const { pve, cluster, runningTasks } = this.run;
    const mayBe = have.kind === 'absent' ? this.mayBe : undefined;
    await this.readTasksOf(have);
    const tasks = (await runningTasks.concerning(this.concerns(have, actions), mayBe)).map(taskText);
    const locked = lockedIn(have, actions);
    const isTold = have.kind === 'absent' && tasks.length > 0;
    return [
      ...(cluster.quorate === false ? [NO_QUORUM] : []),
      ...tasks,
      ...(have.kind === 'absent' ? this.sourceToCome(actions) : []),
      ...(locked && !isTold ? [await lockText(pve, cluster, locked)] : []),
    ];
  }

  /**
   * What is at work on a guest is asked only where something is to be done to it. An apply that reads its machine alone
   * leaves it to Proxmox, which locks the configuration and compares the digest.
   */
  private async readTasksOf(have: ObservedMachine): Promise<void> {
    const { isRead, onlyReads, clusterTasks, runningTasks } = this.run;
    if (!('guest' in have) || !isRead) return;
    const at = [have.guest.node];
    await runningTasks.readOn(onlyReads ? await clusterTasks.nodesAtWork(at) : at);
  }

  /** The machine that it is cloned from, where that is still to be made. */
  private sourceToCome(actions: readonly Action[]): string[] {
    const { spec, identity } = this.wanted;
    const found = sourceCandidates(spec, this.run.cluster.guests, identity.owner);
    if (!('why' in found) || found.why !== NOT_THERE_YET) return [];
    const ids = sourceIds(spec.image);
    if (ids.length === 1) return [found.detail];
    // of several replicas, the one on the node where it is cloned
    const clone = actions.find(action => action.kind === 'clone');
    const chosen = ids.filter(id => clone && id === `${spec.image?.machine}-${clone.source.node}`);
    return [`machine '${(chosen.length === 0 ? ids : chosen).join("' or '")}', which it is cloned from`];
  }

  /** A cluster that was not read is waited for by nobody (`Run.cluster`). */
  private async untilQuorate(): Promise<boolean> {
    if (this.run.cluster.quorate !== false) return false;
    await this.run.shared.quorum.wait(this.waiting);
    return true;
  }

  /** An unfinished creation is found by its name: a guest of another name is none of this machine. */
  private readonly mayBe = (name: string): boolean => name === (this.wanted.spec.name ?? this.wanted.spec.id);

  /** What another run of this process makes is another machine: a name is not waited for. */
  private isOfAnother({ type, id }: RunningTask): boolean {
    const { shared } = this.run;
    return (
      type === 'qmcreate' && shared.madeIds.isBegunForAnother(Number(id), nameAmongAll(this.wanted.identity))
    );
  }

  /** Which tasks may change what was just seen of the machine. */
  private concerns(have: ObservedMachine, actions: readonly Action[] = []): Concerns {
    if (have.kind === 'refused') return () => false;
    if (have.kind !== 'absent') {
      const { vmid, node } = have.guest;
      // a node that goes down would take with it, hard, what is started behind its stopall
      const isStarted = actions.some(startsGuest);
      return task => changesGuest(task, vmid) || (isStarted && turnsAll(task, node));
    }
    const { guests } = this.run.cluster;
    const { spec, identity } = this.wanted;
    const sources = sourceCandidates(spec, guests, identity.owner);
    const mayBeSource = (id: string): boolean =>
      !('guests' in sources) || sources.guests.some(({ vmid }) => String(vmid) === id);
    return task => {
      if (task.type === 'qmclone') return mayBeSource(task.id ?? '');
      // at the id that the spec gives, its restore from a backup too
      const isAtItsId = spec.vmid !== undefined && changesGuest(task, spec.vmid);
      return isAtItsId || (makesGuest(task) && !this.isOfAnother(task)) || movesNewGuest(task, guests);
    };
  }
}

/** The guest whose lock is in the way. */
function lockedIn(have: ObservedMachine, actions: readonly Action[]): ObservedGuest | undefined {
  const guest = have.kind === 'absent' ? have.making : 'guest' in have ? have.guest : undefined;
  return guest?.lock === undefined || passesLock(have, actions) ? undefined : guest;
}

/** PVE starts a guest that was suspended to disk, and destroys it, whatever lock that has left. */
function passesLock(have: ObservedMachine, actions: readonly Action[]): boolean {
  if (!('guest' in have) || !goesLocked(have.guest)) return false;
  // neither is a write of the guest
  const first = actions.find(({ kind }) => kind !== 'upload-iso' && kind !== 'fetch-image');
  return first?.kind === 'destroy' || (first?.kind === 'power' && first.to === 'running');
}
