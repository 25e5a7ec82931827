import type { Call, HandlerTable } from '../../../cluster/call';
import { Answer } from '../../../cluster/call';
import { failParameters } from '../../../failure';
import {
  changeFirewall,
  checkEntries,
  clusterFirewall,
  digestOfEntries,
  FIREWALLS,
  firewallOf,
  forEach,
  namesOf,
  NODE_FIREWALL,
} from '../file';
import type { OptionNames } from '../option-names';
import { CLUSTER_OPTIONS, GUEST_OPTIONS, NODE_OPTIONS } from '../option-names';
import type { Firewall } from '../../../world';

const CLUSTER = '/cluster/firewall';
const GUESTS = FIREWALLS.filter(firewall => firewall !== CLUSTER);

export const firewallOptionHandlers: HandlerTable = {
  ...forEach(GUESTS, firewall => optionsAt(firewall, GUEST_OPTIONS)),
  ...optionsAt(CLUSTER, CLUSTER_OPTIONS),
  ...optionsAt(NODE_FIREWALL, NODE_OPTIONS),
  ...forEach([...GUESTS, NODE_FIREWALL], firewall => ({
    [`GET ${firewall}/log`]: () => new Answer([{ n: 1, t: 'no content' }], { total: 1 }),
  })),
  ...forEach(GUESTS, firewall => ({
    [`GET ${firewall}/refs`]: call =>
      chosen(call, [...refsOf(clusterFirewall(call), 'dc'), ...refsOf(firewallOf(call), 'guest')]),
  })),
  [`GET ${CLUSTER}/refs`]: call => chosen(call, refsOf(firewallOf(call), 'dc')),
};

function optionsAt(firewallPath: string, { all, numbers }: OptionNames): HandlerTable {
  return {
    [`GET ${firewallPath}/options`]: call => {
      const { options } = firewallOf(call);
      const shown = Object.entries(options).map(([key, value]) => [
        key,
        numbers.includes(key) ? Number(value) : value,
      ]);
      return { ...Object.fromEntries(shown), digest: digestOfEntries([options]) };
    },
    [`PUT ${firewallPath}/options`]: call =>
      changeFirewall(call, ({ options }) => {
        const { digest, delete: gone, ...params } = call.params;
        checkEntries(digest, [options]);
        for (const name of namesOf(gone)) {
          if (!all.includes(name)) failParameters({ delete: `no such option '${name}'` });
          delete options[name];
        }
        for (const name of all) {
          const value = params[name];
          if (value !== undefined) options[name] = value;
        }
      }),
  };
}

interface Ref {
  type: string;
  name: string;
  ref: string;
  scope: string;
  comment?: string;
}

/** What a rule may name. PVE: the reference says where the name is, a bare one is looked up in both files. */
function refsOf({ aliases, ipsets }: Firewall, scope: string): Ref[] {
  const prefix = scope === 'dc' ? 'dc/' : '';
  const sets = Object.entries(ipsets).map(([name, { comment }]) => ({
    type: 'ipset',
    name,
    ref: `+${prefix}${name}`,
    scope,
    ...(comment !== undefined && { comment }),
  }));
  const names = Object.values(aliases).map(({ name = '', comment }) => ({
    type: 'alias',
    name,
    ref: `${prefix}${name}`,
    scope,
    ...(comment !== undefined && { comment }),
  }));
  return [...sets, ...names];
}

function chosen({ params: { type } }: Call, refs: Ref[]): Ref[] {
  return refs.filter(ref => type === undefined || ref.type === type);
}
