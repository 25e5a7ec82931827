import { fail } from '../failure';
import type { Sim } from '../cluster/sim';

export interface Sid {
  sid: string;
  type: string;
  name: string;
}

/** A resource id as Proxmox reads it: `vm:100`, or a plain number that is looked up. */
export function parseSid({ world }: Sim, text: string): Sid {
  if (/^\d+$/.test(text)) {
    const guest = world.guests[Number(text)];
    if (!guest) fail(`unable to detect SID from VMID - VM/CT ${text} does not exist`);
    const type = guest.type === 'lxc' ? 'ct' : 'vm';
    return { sid: `${type}:${text}`, type, name: text };
  }
  const [, type, name] = /^(\S+):(\S+)$/.exec(text) ?? [];
  if (type === undefined || name === undefined) fail(`unable to parse service id '${text}'`);
  return { sid: text, type, name };
}
