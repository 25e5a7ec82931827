import { defaultWorld } from '../../../simulator';
import { numbersBelow } from '../../support/in-parallel';
import { cliLab } from '../../support/processes/cli';

const groups = ['web', 'db', 'cache', 'queue'];
const machines = groups.flatMap(app =>
  numbersBelow(5).map(index => ({
    ...{ id: `${app}-${index}`, image: { blank: true }, memory: '256Mi', power: 'stopped', labels: { app } },
    placement: { antiAffinity: [{ key: 'app', operator: 'In', values: [app] }] },
  })),
);

test('20 applies at once keep apart what the plan keeps apart', async () => {
  const lab = await cliLab({ world: defaultWorld(5) });
  try {
    const { told } = await lab.observe(Object.fromEntries(machines.map(machine => [machine.id, machine])));
    const ended = await Promise.all(
      machines.map(machine => lab.apply(machine, { token: told[`${machine.id}.token`] ?? '' })),
    );
    expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr)).join('')).toBe('');
    for (const app of groups) {
      const nodes = numbersBelow(5).flatMap(index => lab.guests(`${app}-${index}`).map(({ node }) => node));
      expect([app, ...nodes.sort()]).toEqual([app, 'pve1', 'pve2', 'pve3', 'pve4', 'pve5']);
    }
  } finally {
    await lab.close();
  }
});
