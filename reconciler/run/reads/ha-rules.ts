import type { RulesOfHa } from '../../machine/facts';
import { listHaRules, type Pve } from '../../pve';
import { unlessUntold, type Unread } from './unless-untold';

/** The rules of HA that name a guest. PVE 8 has none. One request, and nothing fails by it: it decides nothing. */
export async function rulesNaming(pve: Pve, vmid: number): Promise<RulesOfHa> {
  const unread: Unread[] = [];
  const untold = (why: string): void => void unread.push({ what: 'rules of HA', why });
  const listed = (await unlessUntold(listHaRules(pve, vmid), untold)) ?? [];
  const rules = listed.map(({ rule, resources = '' }) => ({
    rule,
    isAlone: resources.split(/[\s,;]+/).every(each => each === '' || each === `vm:${vmid}`),
  }));
  return { rules, unread };
}
