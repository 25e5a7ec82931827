import type { MachineSpec } from '../../spec';
import { nextConfiguration, propertiesOf } from '../guest/configuration';
import type { Scene } from '../machine/scene';
import type { ObservedGuest } from '../observed';
import type { Origin, PlanContext } from '../machine/plan-context';
import { assignSlots } from '../machine/slots';

/** The scene of a guest that is there: what it will be after its next start counts as what it is. */
export function sceneOf(
  spec: MachineSpec,
  guest: ObservedGuest,
  origin: Origin,
  context: PlanContext,
): Scene {
  const config = nextConfiguration(guest.current, guest.pending);
  const { mark, vmid, current } = guest;
  // A slot that only goes with a restart is not free
  const slots = assignSlots(spec, { ...current, ...config }, mark, origin);
  return { spec, config, current, slots, origin, context, mark, vmid, uuid: uuidOf(guest, origin, context) };
}

/** The scene of a creation: `config` is what the source brings, or nothing. */
export function createScene(
  spec: MachineSpec,
  config: Record<string, string>,
  vmid: number,
  context: PlanContext,
): Scene {
  const origin = context.source ? 'cloned' : 'blank';
  const slots = assignSlots(spec, config, undefined, origin);
  return { spec, config, current: config, slots, origin, context, mark: undefined, vmid, uuid: context.uuid };
}

/** A guest that is adopted keeps the uuid that it will have, or else that which it has. */
function uuidOf(guest: ObservedGuest, origin: Origin, { uuid }: PlanContext): string {
  if (origin !== 'adopted') return guest.mark?.u ?? uuid;
  const { smbios1: next } = nextConfiguration(guest.current, guest.pending);
  const there = [next, guest.current.smbios1].map(text => propertiesOf('smbios1', text).uuid);
  return String(there.find(each => each !== undefined) ?? uuid);
}
