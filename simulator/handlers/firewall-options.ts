import type { HandlerTable } from '../call';
import { Answer } from '../call';
import { failParameters } from '../failure';
import { changeFirewall, checkEntries, digestOfEntries, guestFirewall } from '../firewall/guest-firewall';
import { splitList } from '../schema/perl-text';

const FIREWALL = '/nodes/{node}/qemu/{vmid}/firewall';
const FLAGS = ['dhcp', 'enable', 'ipfilter', 'macfilter', 'ndp', 'radv'];
const OPTIONS = [...FLAGS, 'log_level_in', 'log_level_out', 'policy_in', 'policy_out'];

export const firewallOptionHandlers: HandlerTable = {
  [`GET ${FIREWALL}/options`]: call => {
    const { options } = guestFirewall(call);
    const shown = Object.entries(options).map(([key, value]) => [
      key,
      FLAGS.includes(key) ? Number(value) : value,
    ]);
    return { ...Object.fromEntries(shown), digest: digestOfEntries([options]) };
  },
  [`PUT ${FIREWALL}/options`]: call =>
    changeFirewall(call, ({ options }) => {
      const { digest, delete: gone, ...params } = call.params;
      checkEntries(digest, [options]);
      for (const name of splitList(gone)) {
        if (!OPTIONS.includes(name)) failParameters({ delete: `no such option '${name}'` });
        delete options[name];
      }
      for (const name of OPTIONS) {
        const value = params[name];
        if (value !== undefined) options[name] = value;
      }
    }),
  [`GET ${FIREWALL}/log`]: () => new Answer([{ n: 1, t: 'no content' }], { total: 1 }),
  [`GET ${FIREWALL}/refs`]: call => {
    const { aliases, ipsets } = guestFirewall(call);
    const { type } = call.params;
    const sets = Object.entries(ipsets).map(([name, { comment }]) => ({
      type: 'ipset',
      name,
      ref: `+${name}`,
      scope: 'guest',
      ...(comment !== undefined && { comment }),
    }));
    const names = Object.values(aliases).map(({ name = '', comment }) => ({
      type: 'alias',
      name,
      ref: name,
      scope: 'guest',
      ...(comment !== undefined && { comment }),
    }));
    return [...sets, ...names].filter(entry => type === undefined || entry.type === type);
  },
};
