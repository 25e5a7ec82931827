import type { MachineSpec } from '../../spec';
import { nextConfiguration, propertiesOf, type Configuration } from '../guest/configuration';
import { runningConfiguration } from '../guest/next-boot';
import type { Mark } from '../mark/mark';
import type { ObservedGuest } from '../observed';
import type { PlaceOfNew } from './facts';
import type { Origin, PlanContext } from './plan-context';
import { assignSlots, type Slots } from './slots';
import type { Want } from './want';

/** What a part of a machine sees. */
export interface Scene {
  spec: MachineSpec;
  /** What is there after the next start, with what waits for it; empty before a creation from nothing. */
  next: Configuration;
  /** What runs now: the same, unless something waits for a restart. */
  running: Configuration;
  slots: Slots;
  origin: Origin;
  context: PlanContext;
  mark: Mark | undefined;
  /** The smbios uuid that the guest has, or is to have. */
  uuid: string;
  vmid: number;
  /** Where it is, or is to be made. */
  node: string;
  /** Where it is made, and from what; absent: it is there. */
  place?: PlaceOfNew;
}

/** One part of a machine: what the spec wants of it. Never looks further than the scene. */
export type Part = (scene: Scene) => Want[];

/** The scene of a guest that is there: what it will be after its next start counts as what it is. */
export function sceneOf(
  spec: MachineSpec,
  guest: ObservedGuest,
  origin: Origin,
  context: PlanContext,
): Scene {
  const next = nextConfiguration(guest.current, guest.pending);
  const { mark, vmid, node } = guest;
  // A slot that only goes with a restart is not free
  const slots = assignSlots(spec, { ...guest.current, ...next }, mark, { ...context, origin });
  const running = runningConfiguration(guest);
  const uuid = uuidOf(guest, origin, context);
  return { spec, next, running, slots, origin, context, mark, vmid, node, uuid };
}

/** The scene of a creation: `brought` is what the source brings, or nothing. */
export function createScene(
  spec: MachineSpec,
  brought: Record<string, string>,
  place: PlaceOfNew,
  context: PlanContext,
): Scene {
  const origin = place.source ? 'cloned' : 'blank';
  const slots = assignSlots(spec, brought, undefined, { ...context, origin });
  const { vmid, node, destination = node } = place;
  const { uuid } = context.done;
  const at = { next: brought, running: brought, vmid, node: destination, place };
  return { spec, slots, origin, context, mark: undefined, uuid, ...at };
}

/** A guest that is adopted keeps the uuid that it will have, or else that which it has. */
function uuidOf(guest: ObservedGuest, origin: Origin, { done: { uuid } }: PlanContext): string {
  if (origin !== 'adopted') return guest.mark?.uuid ?? uuid;
  const { smbios1: next } = nextConfiguration(guest.current, guest.pending);
  const there = [next, guest.current.smbios1].map(text => propertiesOf('smbios1', text).uuid);
  return String(there.find(each => each !== undefined) ?? uuid);
}
