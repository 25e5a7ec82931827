import type { Action, MachinePlan } from './action';

/** What happens while a plan is carried out, as it happens. */
export type Event =
  | { kind: 'planned'; machine: string; plan: MachinePlan }
  | { kind: 'started'; machine: string; action: Action; vmid: number | undefined; node: string | undefined }
  | { kind: 'progress'; machine: string; text: string }
  | { kind: 'warning'; machine: string; text: string }
  /** So much of what the present action copies, moves or downloads is done. Begins anew with each disk and each attempt. */
  | { kind: 'percent'; machine: string; percent: number }
  /** This run stops the machine and has to start it again, until it says that it need not any more. */
  | { kind: 'must-start'; machine: string; must: boolean }
  | { kind: 'finished'; machine: string; action: Action; vmid: number; node: string; elapsedMs: number }
  /** The run ends for this machine, by a step of it or before one. May come twice for one error. */
  | { kind: 'failed'; machine: string; action: Action | undefined; error: unknown };

/** Takes events. Must not throw and must not wait. */
export type Report = (event: Event) => void;
