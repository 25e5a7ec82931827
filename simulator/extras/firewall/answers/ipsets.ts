import type { Call, HandlerTable } from '../../../cluster/call';
import { fail, failParameters } from '../../../failure';
import { cleanNetwork, ipVersionOf } from '../address';
import { FIREWALLS, forEach, changeFirewall, checkEntries, firewallOf, withDigest } from '../file';
import type { Config, Firewall } from '../../../world';
import { findNamed } from '../../../own-keys';

type IpSet = Firewall['ipsets'][string];

export const firewallIpSetHandlers = forEach(FIREWALLS, handlersAt);

function handlersAt(firewallPath: string): HandlerTable {
  const list = `${firewallPath}/ipset`;
  return {
    [`GET ${list}`]: call => withDigest(listOf(firewallOf(call))),
    [`POST ${list}`]: call => changeFirewall(call, firewall => createOrRename(call, firewall)),
    [`GET ${list}/{name}`]: call => withDigest(setNamed(firewallOf(call), call).entries.map(shown)),
    [`DELETE ${list}/{name}`]: call =>
      changeFirewall(call, firewall => {
        const { name = '', force } = call.params;
        const { entries } = setNamed(firewall, call);
        if (entries.length > 0 && force !== '1') fail(`IPSet '${name}' is not empty`);
        delete firewall.ipsets[name];
      }),
    [`POST ${list}/{name}`]: call => changeFirewall(call, firewall => addEntry(call, firewall)),
    [`GET ${list}/{name}/{cidr}`]: call => shown(entryNamed(setNamed(firewallOf(call), call), call)),
    [`PUT ${list}/{name}/{cidr}`]: call =>
      changeFirewall(call, firewall => {
        const set = setNamed(firewall, call);
        const { digest, nomatch, comment } = call.params;
        checkEntries(digest, set.entries.map(shown));
        const entry = entryNamed(set, call);
        setOptional(entry, 'nomatch', nomatch === '1' ? '1' : '');
        setOptional(entry, 'comment', comment ?? '');
      }),
    [`DELETE ${list}/{name}/{cidr}`]: call =>
      changeFirewall(call, firewall => {
        const set = setNamed(firewall, call);
        checkEntries(call.params['digest'], set.entries.map(shown));
        set.entries = set.entries.filter(({ cidr }) => cidr !== call.params['cidr']);
      }),
  };
}

function listOf({ ipsets }: Firewall): Record<string, string>[] {
  return Object.keys(ipsets)
    .sort()
    .map(name => {
      const comment = findNamed(ipsets, name)?.comment;
      return { name, ...(comment !== undefined && { comment }) };
    });
}

function createOrRename({ params }: Call, firewall: Firewall): void {
  const { ipsets } = firewall;
  const { name = '', rename, comment, digest } = params;
  if (rename === undefined) {
    if (findNamed(ipsets, name)) failParameters({ name: `IPSet '${name}' already exists` });
    ipsets[name] = { entries: [] };
  } else {
    checkEntries(digest, listOf(firewall));
    const set = findNamed(ipsets, rename) ?? failParameters({ name: `IPSet '${rename}' does not exist` });
    if (rename !== name && findNamed(ipsets, name))
      failParameters({ name: `IPSet '${name}' does already exist` });
    delete ipsets[rename];
    ipsets[name] = set;
  }
  const set = findNamed(ipsets, name);
  if (comment !== undefined && set) set.comment = comment;
}

function setNamed({ ipsets }: Firewall, { params: { name = '' } }: Call): IpSet {
  return findNamed(ipsets, name) ?? fail(`no such IPSet '${name}'`);
}

function entryNamed({ entries }: IpSet, { params: { cidr = '' } }: Call): Config {
  return entries.find(entry => entry['cidr'] === cidr) ?? failParameters({ cidr: 'no such IP/Network' });
}

function addEntry(call: Call, firewall: Firewall): void {
  const { entries } = setNamed(firewall, call);
  const { cidr: given = '', nomatch, comment } = call.params;
  if (
    ipVersionOf(given) === undefined &&
    !findNamed(firewall.aliases, given.replace(/^guest\//, '').toLowerCase())
  ) {
    fail(`no such alias '${given}'`);
  }
  const cidr = cleanNetwork(given);
  if (entries.some(entry => entry['cidr'] === cidr))
    failParameters({ cidr: `address '${cidr}' already exists` });
  if (/\/0+$/.test(cidr)) failParameters({ cidr: 'a zero prefix is not allowed in ipset entries' });
  const entry: Config = { cidr };
  setOptional(entry, 'nomatch', nomatch === '1' ? '1' : '');
  setOptional(entry, 'comment', comment ?? '');
  entries.unshift(entry);
}

function setOptional(entry: Config, key: string, value: string): void {
  if (value === '') delete entry[key];
  else entry[key] = value;
}

function shown(entry: Config): Record<string, string | number> {
  return { ...entry, ...(entry['nomatch'] !== undefined && { nomatch: 1 }) };
}
