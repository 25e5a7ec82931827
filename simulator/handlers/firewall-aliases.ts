import type { Call, HandlerTable } from '../call';
import { failParameters } from '../failure';
import { own } from '../own';
import { cleanNetwork, ipVersionOf } from '../firewall/address';
import { changeFirewall, checkEntries, guestFirewall, withDigest } from '../firewall/guest-firewall';
import type { Config, Firewall } from '../world';

const ALIASES = '/nodes/{node}/qemu/{vmid}/firewall/aliases';

export const firewallAliasHandlers: HandlerTable = {
  [`GET ${ALIASES}`]: call => withDigest(sorted(guestFirewall(call))),
  [`GET ${ALIASES}/{name}`]: call => shown(aliasNamed(guestFirewall(call), call)),
  [`POST ${ALIASES}`]: call =>
    changeFirewall(call, ({ aliases }) => {
      const { name = '' } = call.params;
      if (own(aliases, name.toLowerCase())) failParameters({ name: `alias '${name}' already exists` });
      aliases[name.toLowerCase()] = aliasOf(call, name);
    }),
  [`PUT ${ALIASES}/{name}`]: call =>
    changeFirewall(call, firewall => {
      const { aliases } = firewall;
      const { name = '', rename = name, digest } = call.params;
      checkEntries(digest, sorted(firewall));
      aliasNamed(firewall, call);
      const [from, to] = [name.toLowerCase(), rename.toLowerCase()];
      if (from !== to && own(aliases, to)) failParameters({ name: `alias '${rename}' already exists` });
      delete aliases[from];
      aliases[to] = aliasOf(call, from === to ? name : rename);
    }),
  [`DELETE ${ALIASES}/{name}`]: call =>
    changeFirewall(call, firewall => {
      checkEntries(call.params['digest'], sorted(firewall));
      delete firewall.aliases[(call.params['name'] ?? '').toLowerCase()];
    }),
};

function aliasNamed({ aliases }: Firewall, { params: { name = '' } }: Call): Config {
  return own(aliases, name.toLowerCase()) ?? failParameters({ name: 'no such alias' });
}

function aliasOf({ params: { cidr = '', comment } }: Call, name: string): Config {
  return { name, cidr: cleanNetwork(cidr), ...(comment !== undefined && comment !== '' && { comment }) };
}

function shown(alias: Config): Record<string, string | number> {
  const version = ipVersionOf(alias['cidr'] ?? '');
  return { ...alias, ...(version !== undefined && { ipversion: version }) };
}

function sorted({ aliases }: Firewall): Record<string, string | number>[] {
  return Object.keys(aliases)
    .sort()
    .flatMap(key => (aliases[key] ? [shown(aliases[key])] : []));
}
