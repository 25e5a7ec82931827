import { failParameters } from '../../failure';
import type { Call } from '../../cluster/call';
import type { Config, Firewall } from '../../world';
import { ipVersionOf } from './address';
import { clusterFirewall } from './file';
import { findNamed } from '../../own-keys';
import { MACROS } from './macros';

const PORT_PROTOCOLS = ['tcp', 'udp', 'udplite', 'sctp', 'dccp'];
const ICMP = ['icmp', 'icmpv6', 'ipv6-icmp'];

/** Checks a rule as Proxmox does, in its order, and notes the IP version that it follows from. */
export function verifyRule(call: Call, rule: Config, firewall: Firewall): void {
  const named = { own: firewall, cluster: clusterFirewall(call) };
  const { vmid, group } = call.params;
  delete rule['ipversion'];
  if (rule['type'] === 'group' && group !== undefined)
    failParameters({ type: 'security groups not allowed' });
  checkAction(rule);
  const { iface, macro } = rule;
  if (vmid !== undefined && iface !== undefined && !/^net\d+$/.test(iface)) {
    failParameters({ iface: "value does not match the regex pattern 'net\\d+'" });
  }
  if (macro !== undefined) {
    const name = MACROS.get(macro.toLowerCase());
    if (name === undefined) failParameters({ macro: `unknown macro '${macro}'` });
    rule['macro'] = name;
  }
  checkPorts(rule);
  const versions = [
    versionOfProtocol(rule['proto']),
    versionOfAddress(rule, 'source', named),
    versionOfAddress(rule, 'dest', named),
  ].flatMap(version => version ?? []);
  if (new Set(versions).size > 1) {
    const blamed = rule['dest'] === undefined ? 'source' : 'dest';
    failParameters({ [blamed]: 'detected mixed ipv4/ipv6 addresses in rule' });
  }
  if (versions[0] !== undefined) rule['ipversion'] = String(versions[0]);
}

function checkAction({ type = '', action = '' }: Config): void {
  if (type === 'group') {
    if (!/^[A-Za-z][A-Za-z0-9\-_]+$/.test(action)) {
      failParameters({ action: 'invalid characters in security group name' });
    }
  } else if (!/^(ACCEPT|DROP|REJECT)$/.test(action)) failParameters({ action: `unknown action '${action}'` });
}

function checkPorts(rule: Config): void {
  const { proto, dport, sport, 'icmp-type': icmpType } = rule;
  if (dport !== undefined) {
    requireProtocol('dport', proto);
    if (!PORT_PROTOCOLS.includes(proto ?? '') && !ICMP.includes(proto ?? '')) {
      failParameters({ dport: `protocol '${proto}' does not support ports` });
    }
  }
  if (icmpType !== undefined) {
    if (!ICMP.includes(proto ?? '')) requireProtocol('icmp-type', undefined);
    if (dport !== undefined) {
      failParameters({ 'icmp-type': "'icmp-type' cannot be specified together with 'dport'" });
    }
  }
  if (sport !== undefined) {
    requireProtocol('sport', proto);
    if (!PORT_PROTOCOLS.includes(proto ?? '')) {
      failParameters({ sport: `protocol '${proto}' does not support ports` });
    }
  }
}

function requireProtocol(key: string, proto: string | undefined): void {
  if (proto === undefined) failParameters({ proto: `missing property - '${key}' requires this property` });
}

function versionOfProtocol(proto: string | undefined): number | undefined {
  if (proto === 'icmp') return 4;
  return proto === 'icmpv6' || proto === 'ipv6-icmp' ? 6 : undefined;
}

/** Where the names in a rule are looked up: in its own file, then in the cluster's. */
interface Named {
  own: Firewall;
  cluster: Firewall;
}

/** The version of an address list, of an alias, or none for a set; names must exist. */
function versionOfAddress(rule: Config, key: string, named: Named): number | undefined {
  const value = rule[key];
  if (value === undefined) return undefined;
  if (value.startsWith('+')) {
    const { name, files } = scoped(value.slice(1), named);
    if (!files.some(({ ipsets }) => findNamed(ipsets, name))) {
      failParameters({ [key]: `no such ipset '${value.slice(1)}'` });
    }
    return undefined;
  }
  const versions = value.split(',').flatMap(part => ipVersionOf(part) ?? []);
  if (versions.length > 0) return versions[0];
  const { name, files } = scoped(value, named);
  const alias = files
    .map(({ aliases }) => findNamed(aliases, name.toLowerCase()))
    .find(found => found !== undefined);
  if (!alias) failParameters({ [key]: `no such alias '${value}'` });
  return ipVersionOf(alias['cidr'] ?? '');
}

/** `guest/` and `dc/` say where a name is; without them it may be in either. */
function scoped(text: string, { own, cluster }: Named): { name: string; files: Firewall[] } {
  const [, scope, name = ''] = /^(?:(guest|dc)\/)?(.*)$/s.exec(text) ?? [];
  if (scope === undefined) return { name, files: [own, cluster] };
  return { name, files: [scope === 'guest' ? own : cluster] };
}
