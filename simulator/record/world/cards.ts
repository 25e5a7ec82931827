import { agentEnabled } from '../../guest/agent/enabled';
import { configTextOf, rowOf, rowsOf, textOf } from '../shape';
import type { Row } from '../shape';
import type { Source } from './source';

/** The network cards and addresses that a guest's agent tells of; undefined where none answers. */
export async function readCards(
  { reader, disguise }: Source,
  path: string,
  config: Row,
): Promise<Row[] | undefined> {
  if (!agentEnabled({ agent: configTextOf(config['agent']) ?? '' })) return undefined;
  const answer = rowOf(await reader.get(`${path}/agent/network-get-interfaces`));
  if (!Array.isArray(answer['result'])) return undefined;
  return rowsOf(answer['result'])
    .filter(card => card['name'] !== 'lo' && typeof card['name'] === 'string')
    .map(card => {
      const mac = textOf(card['hardware-address']) ?? '';
      const addresses = rowsOf(card['ip-addresses']).flatMap(row => {
        const address = textOf(row['ip-address']);
        // the simulated system adds the address of each card's own link by itself
        if (address === undefined || /^fe80:/i.test(address)) return [];
        return [`${disguise.address(address)}/${Number(row['prefix']) || 24}`];
      });
      return {
        name: disguise.name('card', textOf(card['name']) ?? ''),
        mac: /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac) ? disguise.mac(mac).toLowerCase() : '',
        addresses,
      };
    });
}
