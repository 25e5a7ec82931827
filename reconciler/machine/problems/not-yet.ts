import type { MachineSpec } from '../../../spec';
import type { Refusal } from '../../action';

const ROWS: readonly { field: string; said: (spec: MachineSpec) => boolean; instead: string }[] = [
  {
    field: 'cloudInit.waitForCompletion',
    said: ({ cloudInit }) => cloudInit?.waitForCompletion === true,
    instead: 'Wait for the agent with waitFor, or remove it.',
  },
  {
    field: 'snapshotBeforeChange',
    said: ({ snapshotBeforeChange: said }) => said !== undefined && said !== false,
    instead: 'Take the snapshot by hand, then remove it.',
  },
];

/** What a spec may say and this version does not do. It is refused, so that nothing is silently left out. */
export function notYet(spec: MachineSpec): Refusal[] {
  return ROWS.filter(({ said }) => said(spec)).map(({ field, instead }) => ({
    machine: spec.id,
    why: 'not-yet',
    detail: `${field} is not reconciled by this version.`,
    remedy: instead,
  }));
}
