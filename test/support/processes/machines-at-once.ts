import { endState } from '../cluster/end-state';
import type { Json } from '../cluster/lab';
import type { PlaceOfRuns } from '../runs/place-of-runs';
import { preparing } from '../runs/scenarios';
import type { TerraformProcesses, TerraformVerbs } from './terraform-processes';

/** The machines that go the same way at once: one to which something happens, and two beside it. */
export const AT_ONCE = ['web', 'east', 'west'];

/** A machine as each of them is, but for what no two may have. */
export function alike(want: Json): Json[] {
  return AT_ONCE.map((id, index) => {
    const text = JSON.stringify(want).replaceAll('192.0.2.10/', `192.0.2.${10 + index}/`);
    return { ...(JSON.parse(text) as Json), id, ...(want['name'] ? { name: `${id}.example.com` } : {}) };
  });
}

/** Plans all of them at once. What it gives does that: an apply, or a destroy, of each at the same time. */
export async function planAtOnce(
  terraform: TerraformVerbs,
  want: Json | undefined,
): Promise<() => Promise<string[]>> {
  if (want === undefined) return async () => (await Promise.all(AT_ONCE.map(terraform.destroy))).flat();
  const wants = alike(want);
  const tokens = await terraform.plan(wants);
  return async () => {
    const applies = wants.map(each => terraform.apply(each, tokens[String(each['id'])] ?? ''));
    return (await Promise.all(applies)).flat();
  };
}

/** The scenarios of one machine, for all of them at once, as processes. */
export function placeOfProcesses(processes: TerraformProcesses, stride: number): PlaceOfRuns {
  return {
    prepare: async scenario => {
      const open = await preparing(scenario, alike);
      return async options => {
        const cluster = await open(options);
        const terraform = processes.on(cluster.simulator);
        return { ...cluster, bring: async want => (await planAtOnce(terraform, want))() };
      };
    },
    endOf: simulator =>
      AT_ONCE.map(id => {
        const { guests, orphans, broken, defects } = endState(simulator, id) as Record<string, unknown>;
        // a mark keeps the token of the plan that was applied last
        const text = JSON.stringify(guests).replace(/(\\"t\\":\\")[\w-]+/g, '$1TOKEN');
        return { guests: JSON.parse(text) as unknown, orphans, broken, defects };
      }),
    stride,
    inParallel: 2,
  };
}
