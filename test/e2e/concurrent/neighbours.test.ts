import { defaultWorld } from '../../../simulator';
import { numbersBelow } from '../../support/in-parallel';
import { sharedLab } from '../../support/processes/shared-lab';

const groups = ['web', 'db', 'cache', 'queue'];
const machines = (side: 'affinity' | 'antiAffinity') =>
  groups.flatMap(app =>
    numbersBelow(5).map(index => ({
      ...{
        id: `${app}-${index}`,
        image: { blank: true },
        memory: '256Mi',
        power: 'stopped',
        labels: { app },
      },
      placement: { [side]: [{ key: 'app', operator: 'In', values: [app] }] },
    })),
  );

/** The nodes of each group, once 20 applies at once have made its machines. */
async function nodesOfGroups(
  side: 'affinity' | 'antiAffinity',
  mode: string,
  workers: number,
): Promise<string[][]> {
  const lab = await sharedLab({ world: defaultWorld(5) });
  try {
    const all = machines(side);
    const { told } = await lab.observe(Object.fromEntries(all.map(machine => [machine.id, machine])));
    const applies = all.map(machine =>
      lab.apply(machine, { PROXMOX_TOKEN: told[`${machine.id}.token`] ?? '', PVE_RUN: mode }),
    );
    const ended = await Promise.all(applies.map(apply => apply.ended));
    expect(lab.workers()).toHaveLength(workers);
    expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr)).join('')).toBe('');
    return groups.map(app =>
      numbersBelow(5).flatMap(index => lab.guests(`${app}-${index}`).map(({ node }) => node)),
    );
  } finally {
    await lab.close();
  }
}

describe.each([
  ['shared', 1],
  ['alone', 0],
])('20 applies at once, %s,', (mode, workers) => {
  test('keep apart what the plan keeps apart', async () => {
    const nodes = await nodesOfGroups('antiAffinity', mode, workers);
    const all = ['pve1', 'pve2', 'pve3', 'pve4', 'pve5'];
    expect(nodes.map(each => each.sort())).toEqual(groups.map(() => all));
  });

  test('keep together what the plan keeps together', async () => {
    const nodes = (await nodesOfGroups('affinity', mode, workers)).map(each => [...new Set(each)]);
    expect(nodes.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    // each group has a node of its own: the emptiest when its first machine came
    expect(new Set(nodes.flat()).size).toBe(4);
  });
});
