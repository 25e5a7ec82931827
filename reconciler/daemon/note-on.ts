import { makesGuest } from '../action';
import type { Event } from '../event';
import { actionText } from '../report/action-text';
import { changeLines } from '../report/change-lines';
import type { MachineRecord } from './machine-record';

/** Writes into the record of a machine what an event tells of it. */
export function noteOn(record: MachineRecord, event: Event): void {
  if (event.kind === 'warning') record.notes.push(event.text);
  if (event.kind === 'started') record.doing = actionText(event.action);
  if (event.kind === 'finished') {
    record.doing = undefined;
    if (event.action.kind === 'destroy') record.seenAs = undefined;
    if (makesGuest(event.action)) record.seenAs = event.vmid;
    if (record.isHalfMade && event.action.kind === 'configure')
      [record.isHalfMade, record.isMade] = [false, true];
    if (makesGuest(event.action)) [record.isHalfMade, record.isMade] = [true, false];
  }
  if (event.kind !== 'planned' || event.plan.actions.length === 0) return;
  // what is left to do to a new machine is no drift
  record.isBeingMade ||= event.plan.actions.some(makesGuest);
  if (!record.isBeingMade) record.drift = { at: new Date().toISOString(), changes: changeLines(event.plan) };
}
