import type { ExistingOutputs, ExistingResult } from '../../../spec';
import { defaultWorld, type World } from '../../../simulator';
import { ActsOnce } from '../cluster/acts-once';
import { cliLab, run } from '../processes/cli';

/** What says which guest is meant. */
export type Which = Record<string, unknown>;

/** Guests of somebody else besides those of every world: `legacy-db` has an address, `web-2` is off. */
export function worldOfOthers(): World {
  const made = defaultWorld(3);
  const db = made.guests[100]!;
  Object.assign(db.config, { agent: '1', tags: 'prod;web' });
  made.guests[205] = { ...structuredClone(db), vmid: 205, node: 'pve1', running: null };
  Object.assign(made.guests[205].config, { name: 'web-2', tags: 'web', net0: 'virtio=BC:24:11:00:02:05' });
  return made;
}

/** A lab in that world, and what the program answers about guests that are only read. */
export async function existingLab(change: (made: World) => void = () => undefined) {
  const world = worldOfOthers();
  change(world);
  const somebody = new ActsOnce();
  const lab = await cliLab({ world, before: somebody.asked });
  const asked = async (which: Which, env: Record<string, string> = {}): Promise<ExistingResult> => {
    const query = {
      protocol: '1',
      cluster: JSON.stringify({ name: 'lab' }),
      owner: 'team/lab',
      existing: JSON.stringify({ id: 'db', ...which }),
    };
    const ran = await run(['facts'], { ...lab.access, ...env }, JSON.stringify(query));
    if (ran.code !== 0) throw new Error(ran.stderr);
    return JSON.parse(ran.stdout) as ExistingResult;
  };
  return { ...lab, somebody, asked };
}

export type ExistingLab = Awaited<ReturnType<typeof existingLab>>;

export const one = ({ outputs }: ExistingResult): ExistingOutputs => JSON.parse(outputs) as ExistingOutputs;
export const many = ({ outputs }: ExistingResult): ExistingOutputs[] =>
  JSON.parse(outputs) as ExistingOutputs[];
