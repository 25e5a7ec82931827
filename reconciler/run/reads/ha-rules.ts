import type { NamingRule } from '../../machine/facts';
import { ifThere } from '../../observe/if-allowed';
import { listHaRules, type Pve } from '../../pve';

/** The rules of HA that name a guest. PVE 8 has none. One request. */
export async function rulesNaming(pve: Pve, vmid: number): Promise<NamingRule[]> {
  const rules = (await ifThere(listHaRules(pve, vmid))) ?? [];
  return rules.map(({ rule, resources = '' }) => ({
    rule,
    isAlone: resources.split(/[\s,;]+/).every(each => each === '' || each === `vm:${vmid}`),
  }));
}
