import type { MachineOutputs } from '../../spec';
import type { Run } from '../run/run';
import type { Identity } from '../mark/identity';
import { absentOutputs } from '../outputs/machine';
import { ownerTag } from '../mark/owner-tag';
import { failureText } from '../report/failure-text';

/** The outputs of a machine that could not be read: where the cluster lists it all the same, and why it cannot be. */
export function unreadMachine(error: unknown, { cluster }: Run, { owner, ids }: Identity): MachineOutputs {
  const tags = ids.map(id => ownerTag(owner, id));
  const [listed, another] = cluster.guests.filter(guest => guest.tags.some(tag => tags.includes(tag)));
  if (listed === undefined || another !== undefined) return absentOutputs(failureText(error));
  const { vmid, node } = listed;
  const isDown = cluster.nodes.some(({ name, online }) => name === node && !online);
  const why = isDown
    ? `VM ${vmid} is on node ${node}, which is down: nothing of it can be read until the node is back. Reading again is safe.`
    : failureText(error);
  return { ...absentOutputs(why), vmid, node };
}
