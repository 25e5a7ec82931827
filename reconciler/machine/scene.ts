import type { MachineSpec } from '../../spec';
import type { Mark } from '../mark/mark';
import type { Origin, PlanContext } from './plan-context';
import type { Slots } from './slots';
import type { Configuration } from '../guest/configuration';
import type { Want } from './want';

/** What a part of a machine sees. */
export interface Scene {
  spec: MachineSpec;
  /** What is there; empty before a creation from nothing. */
  config: Configuration;
  /** What runs now: the same, until something waits for a restart. */
  current: Configuration;
  slots: Slots;
  origin: Origin;
  context: PlanContext;
  mark: Mark | undefined;
  /** The smbios uuid that the guest has, or is to have. */
  uuid: string;
  vmid: number;
}

/** One part of a machine: what the spec wants of it. Never looks further than the scene. */
export type Part = (scene: Scene) => Want[];
