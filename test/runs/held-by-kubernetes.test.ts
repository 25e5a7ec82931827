import { readDescription, writeDescription } from '../../reconciler/mark/description';
import { failureText } from '../../reconciler/report/failure-text';
import { desired, lab } from '../support/cluster/lab';

const web = { id: 'web', image: { blank: true } };

test('a source without a name writes nothing to a guest that a Kubernetes holds; to observe it is no write', async () => {
  const cluster = await lab();
  try {
    await cluster.run(desired([web]));
    const guest = Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web');
    if (guest === undefined) throw new Error('there is no guest');
    const { text, mark } = readDescription(guest.config['description'] ?? '');
    guest.config['description'] = writeDescription(text, { ...mark!, source: 'kubernetes:prod' });
    cluster.simulator.ledger.reset();
    const [ending] = await cluster.run(desired([{ ...web, cpu: { cores: 2 } }]));
    const said = ending && 'error' in ending ? failureText(ending.error) : '';
    for (const part of ['"kubernetes:prod"', 'this is a source without a name', "--source 'kubernetes:prod'"])
      expect(said).toContain(part);
    const [observed] = await cluster.run(desired([{ ...web, mode: 'observe' }]));
    expect(observed).not.toHaveProperty('error');
    const writes = cluster.simulator.ledger.entries().filter(({ method }) => method !== 'GET');
    expect(writes).toEqual([]);
  } finally {
    await cluster.close();
  }
});
