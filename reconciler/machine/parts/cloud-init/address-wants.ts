import { parseCidr, type NetworkSpec } from '../../../../spec';
import type { Want } from '../../want';

/** Where each family of addresses stands in the line of a card. */
export const FAMILIES = [
  { family: 'ipv4', address: 'ip', gateway: 'gw' },
  { family: 'ipv6', address: 'ip6', gateway: 'gw6' },
] as const;

/** What cloud-init is told about the addresses of one card. A family that the spec does not name is not managed. */
export function addressWants(network: NetworkSpec, field: string, key: string): Want[] {
  return FAMILIES.flatMap(({ family, address, gateway }) => {
    const said = saidOf(network, family);
    if (said === undefined) return [];
    const { from, value } = said;
    const [ip, gw] = typeof value === 'string' ? [value, null] : [value.address, value.gateway ?? null];
    return [
      { field: `${field}.${from}`, key, property: address, value: ip },
      { field: `${field}.${from}`, key, property: gateway, value: gw },
    ];
  });
}

function saidOf(network: NetworkSpec, family: 'ipv4' | 'ipv6') {
  const value = network[family];
  if (value !== undefined) return { from: family, value };
  const { staticIP } = network;
  if (staticIP === undefined || parseCidr(staticIP.address)?.family !== family) return undefined;
  return { from: 'staticIP', value: staticIP };
}
