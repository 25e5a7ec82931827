import type { FleetMachine } from '../../spec';
import { enemiesOn, groupOf, hasHard, type Neighbour } from './neighbours';
import type { PlacementFacts } from './placement-facts';

/**
 * What hard rules of a machine that is there say, and is not so, about the machines that are there too. Nothing is
 * moved for it. `facts`: with the machine itself in them. Pure.
 */
export function brokenRules(
  machine: FleetMachine,
  { node, vmid }: { node: string; vmid: number },
  facts: PlacementFacts,
): string[] {
  const isOther = ({ name, isOurs, guest }: Neighbour): boolean =>
    guest !== undefined && guest.vmid !== vmid && !(isOurs && name === machine.id);
  const group = hasHard('affinity', machine) ? groupOf(machine, facts).filter(isOther) : [];
  const isBeside = group.some(other => other.node === node);
  // of the guests of nobody any one will do
  const away = group.find(other => other.node !== node && (other.isOurs || !isBeside));
  const apart = hasHard('antiAffinity', machine) ? enemiesOn(machine, node, facts) : [];
  const beside = apart.find(isOther);
  const stands = `it stands on ${node}`;
  return [
    ...(away === undefined
      ? []
      : [
          `${stands}, and '${away.name}' on ${away.node}, though affinity keeps them together. Nothing is moved for it: to move this one, set its node to "${away.node}" and pin to true.`,
        ]),
    ...(beside === undefined
      ? []
      : [
          `${stands} beside '${beside.name}', though antiAffinity keeps them apart. Nothing is moved for it: to move this one, name another node in node and set pin to true.`,
        ]),
  ];
}
