import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Guest, Running } from '../../world';
import { cardsAtBoot } from '../agent/cards-at-boot';
import { startedMachine } from '../keys/machine';

/** The qemu process of a guest of this node; undefined when it is off. Fails when the node has no such guest. */
export function checkRunning(sim: Sim, node: string, vmid: number): Running | undefined {
  const guest = sim.world.guests[vmid];
  if (!guest || guest.type !== 'qemu' || guest.node !== node) {
    fail(`unable to find configuration file for VM ${vmid} on node '${node}'`);
  }
  return guest.running ?? undefined;
}

/** Whether the guest stands still: paused by hand, or reset while it was. Never fails. */
export function isPaused(sim: Sim, node: string, vmid: number): boolean {
  const guest = sim.world.guests[vmid];
  return guest?.node === node && ['paused', 'prelaunch', 'suspended'].includes(guest.running?.qmp ?? '');
}

/** Makes the guest run, without any check. */
export function setRunning(sim: Sim, guest: Guest, qmp = 'running'): void {
  guest.running = {
    pid: 10_000 + sim.random.below(900_000),
    since: sim.clock.now(),
    qmp,
    machine: startedMachine(guest.config),
  };
  if (guest.system.kind !== 'none') guest.running.cards = cardsAtBoot(sim, guest);
}
