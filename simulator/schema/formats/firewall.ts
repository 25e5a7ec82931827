import { wrongRange } from './ip-range';
import type { CodeFormat } from './network';
import { format } from './network';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Names that iptables knows. */
const ICMP_TYPES = words(
  `any echo-reply destination-unreachable network-unreachable host-unreachable protocol-unreachable port-unreachable
  fragmentation-needed source-route-failed network-unknown host-unknown network-prohibited host-prohibited
  TOS-network-unreachable TOS-host-unreachable communication-prohibited host-precedence-violation precedence-cutoff
  source-quench redirect network-redirect host-redirect TOS-network-redirect TOS-host-redirect echo-request
  router-advertisement router-solicitation time-exceeded ttl-zero-during-transit ttl-zero-during-reassembly
  parameter-problem ip-header-bad required-option-missing timestamp-request timestamp-reply address-mask-request
  address-mask-reply no-route beyond-scope address-unreachable failed-policy reject-route packet-too-big bad-header
  unknown-header-type unknown-option neighbour-solicitation neighbor-solicitation neighbour-advertisement
  neighbor-advertisement`,
);

/** The names of /etc/protocols, and Proxmox's own icmpv6. */
const PROTOCOLS = words(
  `ip icmp igmp ggp ipencap st tcp egp igp pup udp hmp xns-idp rdp iso-tp4 dccp xtp ddp idpr-cmtp ipv6 ipv6-route
  ipv6-frag idrp rsvp gre esp ah skip ipv6-icmp ipv6-nonxt ipv6-opts rspf vmtp eigrp ospf ax.25 ipip etherip encap pim
  ipcomp vrrp l2tp isis sctp fc mobility-header udplite mpls-in-ip manet hip shim6 wesp rohc ethernet icmpv6`,
);
const PROTOCOL_NUMBERS = words(
  `0 1 2 3 4 5 6 8 9 12 17 20 22 27 29 33 36 37 38 41 43 44 45 46 47 50 51 57 58 59 60 73 81 88 89 93 94 97 98 103 108
  112 115 124 132 133 135 136 137 138 139 140 141 142 143`,
);

/** Of the names of /etc/services those that rules are written with. */
const SERVICES = words(
  `ftp-data ftp ssh telnet smtp time whois tacacs domain tftp gopher finger http kerberos pop3 sunrpc auth nntp ntp
  netbios-ns netbios-dgm netbios-ssn imap2 snmp snmp-trap bgp irc ldap https microsoft-ds submissions syslog printer
  submission ldaps rsync imaps pop3s socks openvpn radius radius-acct nfs mysql svn postgresql xmpp-client xmpp-server
  rtsp sip sip-tls git iscsi-target bootps bootpc isakmp ipsec-nat-t epmap domain-s http-alt`,
);

function wrongPorts(value: string, dport: boolean): string | undefined {
  const items = value.split(',');
  if (value !== '' && items.at(-1) === '') return 'extraneous commas in list';
  let count = 0;
  let icmp = false;
  for (const item of value === '' ? [] : items) {
    const [, from = item, to] = /^([0-9]+):([0-9]+)$/.exec(item) ?? [];
    const ports = [from, ...(to === undefined ? [] : [to])];
    if (/^[0-9]+$/.test(from)) {
      count += ports.length;
      const bad = ports.find(port => Number(port) > 65535);
      if (bad !== undefined) return `invalid port '${bad}'`;
      if (Number(from) > Number(to)) {
        return `backwards range '${from}:${to}' not allowed, did you mean '${to}:${from}'?`;
      }
    } else if (dport && ICMP_TYPES.has(item)) icmp = true;
    else if (!SERVICES.has(item)) return `invalid port '${item}'`;
  }
  if (icmp && count > 0) return 'ICMP ports not allowed in port range';
  return count > 15 ? 'too many entries in port list (> 15 numbers)' : undefined;
}

function wrongAddresses(value: string): string | undefined {
  if (/^\+\S+$/.test(value)) return value.length > 65 ? 'ipset name too long' : undefined;
  if (/^(?:dc\/|guest\/)?[A-Za-z][A-Za-z0-9\-_]+$/.test(value)) {
    return value.length > 64 ? 'alias name too long' : undefined;
  }
  const items = value.split(',');
  if (value !== '' && items.at(-1) === '') return 'extraneous commas in list';
  const versions = new Set<number>();
  for (const item of value === '' ? [] : items) {
    const wrong = wrongRange(item);
    if (wrong !== undefined) return `invalid IP address: ${wrong}`;
    versions.add(item.includes(':') ? 6 : 4);
    if (versions.size > 1) return `detected mixed ipv4/ipv6 addresses in address list '${value}'`;
  }
  const ranged = items.length > 1 && items.some(item => item.includes('-'));
  return ranged ? "you can't use a range in a list" : undefined;
}

/** Formats of firewall rules, with Proxmox's texts. PVE: pve-firewall, PVE::Firewall as read. */
export const FIREWALL_FORMATS: Record<string, CodeFormat> = {
  'pve-fw-addr-spec': wrongAddresses,
  'pve-fw-sport-spec': value => wrongPorts(value, false),
  'pve-fw-dport-spec': value => wrongPorts(value, true),
  'pve-fw-protocol-spec': format(
    value => value === '' || PROTOCOLS.has(value) || PROTOCOL_NUMBERS.has(value),
    value => `unknown protocol '${value}'`,
  ),
  'pve-fw-icmp-type-spec': format(
    value => value === '' || ICMP_TYPES.has(value),
    value => `invalid icmp-type value '${value}'`,
  ),
};
