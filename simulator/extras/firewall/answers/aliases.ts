import type { Call, HandlerTable } from '../../../cluster/call';
import { failParameters } from '../../../failure';
import { cleanNetwork, ipVersionOf } from '../address';
import { FIREWALLS, forEach, changeFirewall, checkEntries, firewallOf, withDigest } from '../file';
import { findNamed } from '../../../own-keys';
import type { Config, Firewall } from '../../../world';

export const firewallAliasHandlers = forEach(FIREWALLS, handlersAt);

function handlersAt(firewallPath: string): HandlerTable {
  const list = `${firewallPath}/aliases`;
  return {
    [`GET ${list}`]: call => withDigest(sorted(firewallOf(call))),
    [`GET ${list}/{name}`]: call => shown(aliasNamed(firewallOf(call), call)),
    [`POST ${list}`]: call =>
      changeFirewall(call, ({ aliases }) => {
        const { name = '' } = call.params;
        if (findNamed(aliases, name.toLowerCase()))
          failParameters({ name: `alias '${name}' already exists` });
        aliases[name.toLowerCase()] = aliasOf(call, name);
      }),
    [`PUT ${list}/{name}`]: call =>
      changeFirewall(call, firewall => {
        const { aliases } = firewall;
        const { name = '', rename = name, digest } = call.params;
        checkEntries(digest, sorted(firewall));
        aliasNamed(firewall, call);
        const [from, to] = [name.toLowerCase(), rename.toLowerCase()];
        if (from !== to && findNamed(aliases, to))
          failParameters({ name: `alias '${rename}' already exists` });
        delete aliases[from];
        aliases[to] = aliasOf(call, from === to ? name : rename);
      }),
    [`DELETE ${list}/{name}`]: call =>
      changeFirewall(call, firewall => {
        checkEntries(call.params['digest'], sorted(firewall));
        delete firewall.aliases[(call.params['name'] ?? '').toLowerCase()];
      }),
  };
}

function aliasNamed({ aliases }: Firewall, { params: { name = '' } }: Call): Config {
  return findNamed(aliases, name.toLowerCase()) ?? failParameters({ name: 'no such alias' });
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
