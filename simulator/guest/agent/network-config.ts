/** One thing of an unknown JSON document. */
type Json = Record<string, unknown>;

/**
 * The addresses that a network-config asks for on one card: CIDR notation, or `dhcp4`, `dhcp6`, `auto`. Reads versions
 * 1 and 2, written as JSON (which is YAML too); what it cannot read asks for nothing.
 */
export function addressesOf(text: string, mac: string, name: string): string[] {
  const document = parse(text);
  const network = isJson(document?.['network']) ? document['network'] : document;
  if (!network) return [];
  if (Array.isArray(network['config'])) return versionOne(network['config'].filter(isJson), mac, name);
  return isJson(network['ethernets']) ? versionTwo(network['ethernets'], mac, name) : [];
}

function parse(text: string): Json | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return isJson(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMac(value: unknown, mac: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === mac;
}

function versionTwo(ethernets: Json, mac: string, name: string): string[] {
  for (const [id, card] of Object.entries(ethernets)) {
    if (!isJson(card)) continue;
    const match = isJson(card['match']) ? card['match'] : undefined;
    const mine = match ? isMac(match['macaddress'], mac) || match['name'] === name : id === name;
    if (!mine) continue;
    const addresses = Array.isArray(card['addresses']) ? card['addresses'] : [];
    return [
      ...(card['dhcp4'] === true ? ['dhcp4'] : []),
      ...(card['dhcp6'] === true ? ['dhcp6'] : []),
      ...addresses.filter(address => typeof address === 'string'),
    ];
  }
  return [];
}

function versionOne(entries: Json[], mac: string, name: string): string[] {
  const card = entries.find(
    entry =>
      entry['type'] === 'physical' &&
      (entry['mac_address'] === undefined ? entry['name'] === name : isMac(entry['mac_address'], mac)),
  );
  const subnets = Array.isArray(card?.['subnets']) ? card['subnets'].filter(isJson) : [];
  return subnets.flatMap(subnet => {
    const { type, address, netmask } = subnet;
    if (type === 'dhcp' || type === 'dhcp4') return ['dhcp4'];
    if (type === 'dhcp6') return ['dhcp6'];
    if (type === 'ipv6_slaac') return ['auto'];
    if (typeof address !== 'string') return [];
    return [
      address.includes('/') || typeof netmask !== 'string' ? address : `${address}/${prefixOf(netmask)}`,
    ];
  });
}

function prefixOf(netmask: string): number {
  const bits = netmask.split('.').map(part => Number(part).toString(2).replaceAll('0', ''));
  return bits.join('').length;
}
