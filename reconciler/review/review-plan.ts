import { protocolMismatch } from '../../spec';
import { InputError } from '../errors';
import { aboutPlan } from './about';
import { leftAlready } from './left-already';
import { hasRegistry } from './plan/configuration';
import { UNTOLD } from './plan/observers';
import { machinesOfPlan, queriesOfPlan } from './plan/parts';
import { readPlan } from './plan/read';
import { reviewOf, type Review } from './review';
import { reviewMachine } from './verdicts';
import { withUnreached, type Reviewed } from './unreached';
import { warningsOf } from './warnings';

/** Reviews the JSON text of a plan. It asks neither Proxmox nor Terraform. */
export function reviewPlan(text: string, name: string): Review {
  const plan = readPlan(text, name);
  for (const { protocol } of queriesOfPlan(plan)) {
    const mismatch = protocol === UNTOLD ? undefined : protocolMismatch(String(protocol));
    if (mismatch !== undefined) throw new InputError(`${name}: ${mismatch}`);
  }
  const parts = machinesOfPlan(plan);
  if (parts.length === 0 && !hasRegistry(plan)) {
    throw new InputError(
      `${name} is a plan without a machine of cdktf-proxmox: there is nothing to review. Give the plan of a stack with a ProxmoxCluster, or with the module.`,
    );
  }
  const there = parts.filter(machine => !leftAlready(machine, plan));
  const alone = there.map(
    machine => [machine, reviewMachine(machine, plan.errored === true)] satisfies Reviewed,
  );
  const reviewed = plan.errored ? alone : withUnreached(alone, plan);
  return reviewOf(
    'plan',
    aboutPlan(plan, parts),
    reviewed.map(([, machine]) => machine),
    warningsOf(plan, reviewed),
  );
}
