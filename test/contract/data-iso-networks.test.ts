import { spawnSync } from 'node:child_process';
import { networkConfig, type Card } from '../../reconciler/machine/data-iso/network-config';
import type { MachineSpec, NetworkSpec } from '../../spec';
import { skipped } from '../support/skipped';

type Said = Omit<NetworkSpec, 'name'>;
type Dns = NonNullable<NonNullable<MachineSpec['cloudInit']>['dns']>;

const V4 = { address: '192.0.2.10/24', gateway: '192.0.2.1' };
const V6 = { address: '2001:db8::10/64', gateway: '2001:db8::1' };
const FIRST: (Said['ipv4'] | undefined)[] = [undefined, 'dhcp', V4, { address: V4.address }];
const SECOND: (Said['ipv6'] | undefined)[] = [undefined, 'dhcp', 'auto', V6, { address: V6.address }];

/** Each way to give one card its addresses. */
const cards: Said[] = [
  ...FIRST.flatMap(ipv4 => SECOND.map(ipv6 => ({ ...(ipv4 && { ipv4 }), ...(ipv6 && { ipv6 }) }))),
  ...SECOND.map(ipv6 => ({ staticIP: { ...V4, dns: ['192.0.2.54'] }, ...(ipv6 && { ipv6 }) })),
];
const names: Dns[] = [
  {},
  { servers: ['192.0.2.53', '2001:db8::53'] },
  { search: ['a.example', 'b.example'] },
];

interface Variant {
  cards: Card[];
  dns: Dns;
}

const card = (said: Said, index: number): Card => ({
  network: { name: `n${index}`, ...said },
  index,
  mac: `BC:24:11:00:00:0${index}`,
});
const OTHERS: Said[] = [{ ipv4: 'dhcp', ipv6: 'auto' }, {}, { ipv6: V6 }];
/** Alone, and before, between and behind other cards, one of which says nothing. */
const variants: Variant[] = cards.flatMap(said =>
  names.flatMap(dns => [
    { dns, cards: [card(said, 0)] },
    { dns, cards: [said, ...OTHERS].map(card) },
    { dns, cards: [...OTHERS.slice(0, 2), said, ...OTHERS.slice(2)].map(card).toReversed() },
  ]),
);

/** What a guest is to have on each card, as the spec says it. */
function wanted({ cards: all, dns }: Variant): unknown {
  if (networkConfig(all, dns) === undefined) return null;
  const rows = all.map(({ network: { ipv4, ipv6, staticIP }, index, mac }) => {
    const fixed = [ipv4, ipv6, staticIP].filter(value => typeof value === 'object');
    const isSaid = ipv4 !== undefined || ipv6 !== undefined || staticIP !== undefined;
    const servers = isSaid ? [...(dns.servers ?? []), ...(staticIP?.dns ?? [])] : [];
    const row = {
      mac: mac.toLowerCase(),
      dhcp: [...(ipv4 === 'dhcp' ? ['dhcp4'] : []), ...(ipv6 === 'dhcp' ? ['dhcp6'] : [])],
      auto: ipv6 === 'auto',
      addresses: fixed.map(({ address }) => address).sort(),
      gateways: fixed.flatMap(({ gateway = [] }) => gateway).sort(),
      servers: servers.sort(),
      // cloud-init 22.4 leaves search domains out where a card has neither name servers nor a fixed address
      search: isSaid && servers.length + fixed.length > 0 ? (dns.search ?? []) : [],
    };
    return [`eth${index}`, row] as const;
  });
  return Object.fromEntries(rows);
}

const program = '/usr/bin/python3';
const canRun = spawnSync(program, ['-c', 'import cloudinit.net.network_state']).status === 0;
const title = `cloud-init understands all ${variants.length} ways to address cards, and writes them for Debian`;
if (!canRun) skipped(title, 'there is no cloud-init');
else
  test(title, () => {
    expect(variants.length).toBe(225);
    const input = JSON.stringify(variants.map(({ cards: all, dns }) => networkConfig(all, dns) ?? null));
    const { stdout, stderr } = spawnSync(program, ['-c', READ], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    const read: unknown[] = JSON.parse(stdout) as unknown[];
    expect(read).toEqual(variants.map(wanted));
    expect(read.filter(each => each === null)).toHaveLength(3);
  });

/** What cloud-init makes of each configuration, and whether it writes them in the two forms of Debian. */
const READ = `
import json, logging, sys, tempfile
from cloudinit.net import eni, network_state, networkd
logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
def read(config):
    if config is None:
        return None
    state = network_state.parse_net_config_data(config)
    cards = {}
    for card in state.iter_interfaces():
        subnets = card["subnets"]
        fixed = [s for s in subnets if s.get("address")]
        routes = [r for s in subnets for r in s.get("routes", []) if r["prefix"] == 0]
        dns = card.get("dns") or {}
        cards[card["name"]] = {
            "mac": card["mac_address"],
            "dhcp": [s["type"] for s in subnets if s["type"].startswith("dhcp")],
            "auto": bool(card.get("accept-ra")),
            "addresses": sorted("%s/%s" % (s["address"], s["prefix"]) for s in fixed),
            "gateways": sorted([s["gateway"] for s in fixed if s.get("gateway")] + [r["gateway"] for r in routes]),
            "servers": sorted(dns.get("nameservers") or next((s["dns_nameservers"] for s in fixed if s.get("dns_nameservers")), [])),
            "search": dns.get("search") or next((s["dns_search"] for s in fixed if s.get("dns_search")), []),
        }
    wanted = [a for c in cards.values() for a in c["addresses"] + c["gateways"]]
    with tempfile.TemporaryDirectory() as folder:
        networkd.Renderer({}).render_network_state(state, target=folder)
        import glob
        files = "".join(open(f).read() for f in glob.glob(folder + "/etc/systemd/network/*"))
    text = eni.Renderer()._render_interfaces(state)
    for one in wanted:
        assert one in files, (one, files)
        assert one in text, (one, text)
    assert "::/64" not in files.replace("2001:db8::/64", "") and "inet6 ::/64" not in text, text
    return cards
print(json.dumps([read(config) for config in json.load(sys.stdin)]))
`;
