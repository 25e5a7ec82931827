import { defaultWorld } from '../../../simulator';
import { numbersBelow } from '../../support/in-parallel';
import { sharedLab } from '../../support/processes/shared-lab';

const groups = ['web', 'db', 'cache', 'queue'];
const machines = groups.flatMap(app =>
  numbersBelow(5).map(index => ({
    ...{ id: `${app}-${index}`, image: { blank: true }, memory: '256Mi', power: 'stopped', labels: { app } },
    placement: { affinity: [{ key: 'app', operator: 'In', values: [app] }] },
  })),
);

test.each([
  ['shared', 1],
  ['alone', 0],
])('20 applies at once, %s, keep together what the plan keeps together', async (mode, workers) => {
  const lab = await sharedLab({ world: defaultWorld(5) });
  try {
    const { told } = await lab.observe(Object.fromEntries(machines.map(machine => [machine.id, machine])));
    const applies = machines.map(machine =>
      lab.apply(machine, { PROXMOX_TOKEN: told[`${machine.id}.token`] ?? '', PVE_RUN: mode }),
    );
    const ended = await Promise.all(applies.map(apply => apply.ended));
    expect(lab.workers()).toHaveLength(workers);
    expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr)).join('')).toBe('');
    const nodes = groups.map(app => [
      ...new Set(numbersBelow(5).flatMap(index => lab.guests(`${app}-${index}`).map(({ node }) => node))),
    ]);
    expect(nodes.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    // each group has a node of its own: the emptiest when its first machine came
    expect(new Set(nodes.flat()).size).toBe(4);
  } finally {
    await lab.close();
  }
});
