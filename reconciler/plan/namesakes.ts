import type { MachineSpec } from '../../spec';
import type { Warning } from '../action';
import { idsOf } from '../mark/identity';
import { isTaggedAs } from '../mark/owner-tag';
import type { ListedGuest } from '../observed';

/** What to tell where other guests have the name of a machine that is to be made, as far as the listing tells names. */
export function namesakes(spec: MachineSpec, owner: string, guests: readonly ListedGuest[]): Warning[] {
  const { id, name = id } = spec;
  const isOurs = isTaggedAs({ owner, ids: idsOf(spec) });
  return guests
    .filter(guest => guest.name === name && !isOurs(guest))
    .map(({ type, vmid, node }) => {
      const guest = `${type === 'lxc' ? 'container' : 'VM'} ${vmid} on ${node}`;
      const text = `two guests with one name: ${guest} is called ${name} too. It is another guest, and nothing is done to it for this machine.`;
      return { about: `name of ${vmid}`, text };
    });
}
