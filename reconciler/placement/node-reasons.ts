import type { FleetMachine } from '../../spec';
import type { NodeReason } from '../action';

/** Why a machine that is there is on its node, and stays or moves. */
export function reasonsOfThere(
  { node, pin }: Pick<FleetMachine, 'node' | 'pin'>,
  there: string,
): NodeReason[] {
  if (pin !== true || node === undefined || node === there)
    return [{ node: there, taken: true, reason: 'the machine is there, and stays' }];
  return [
    { node, taken: true, reason: 'the machine is pinned to it' },
    { node: there, taken: false, reason: `the machine is there, and pinned to ${node}` },
  ];
}
