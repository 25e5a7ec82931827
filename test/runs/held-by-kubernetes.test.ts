import { readDescription, writeDescription } from '../../reconciler/mark/description';
import { failureText } from '../../reconciler/report/failure-text';
import { runLine } from '../reconciler/walk/live';
import { desired, desiredJson, lab, type Lab } from '../support/cluster/lab';
import { programAccess, takeWrites } from '../support/cluster/program-access';

const web = { id: 'web', image: { blank: true } };

async function heldBy(source: string): Promise<Lab> {
  const cluster = await lab();
  await cluster.run(desired([web]));
  const guest = Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web')!;
  const { text, mark } = readDescription(guest.config['description'] ?? '');
  guest.config['description'] = writeDescription(text, { ...mark!, source });
  takeWrites(cluster.simulator);
  return cluster;
}

test('a source without a name writes nothing to a guest that a Kubernetes holds; to observe it is no write', async () => {
  const cluster = await heldBy('kubernetes:prod');
  try {
    const [ending] = await cluster.run(desired([{ ...web, cpu: { cores: 2 } }]));
    const said = ending && 'error' in ending ? failureText(ending.error) : '';
    for (const part of ['"kubernetes:prod"', 'this is a source without a name', "--source 'kubernetes:prod'"])
      expect(said).toContain(part);
    const [observed] = await cluster.run(desired([{ ...web, mode: 'observe' }]));
    expect(observed).not.toHaveProperty('error');
    expect(takeWrites(cluster.simulator)).toEqual([]);
  } finally {
    await cluster.close();
  }
});

test.each([
  { line: ['destroy', 'web'], does: 'DELETE' },
  { line: ['snapshot', 'revert', 'web', 'first'], does: 'rollback' },
])('$line by hand: refused, and done by the source that holds it', async ({ line, does }) => {
  const cluster = await heldBy('kubernetes:prod');
  const by = (words: string[], answer?: () => string) =>
    runLine(
      [...words, '--spec', '-'],
      { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
      JSON.stringify(desiredJson([web])),
      answer && { answer },
    );
  try {
    // these take nothing from whoever holds it
    for (const power of ['stop', 'start'])
      expect(await by(['power', power, 'web'], () => 'y')).toMatchObject({ code: 0 });
    expect(await by(['snapshot', 'create', 'web', 'first'])).toMatchObject({ code: 0 });
    takeWrites(cluster.simulator);
    const refused = await by(line, () => 'y');
    expect(refused).toMatchObject({ code: 3, said: expect.stringContaining("--source 'kubernetes:prod'") });
    expect(takeWrites(cluster.simulator)).toEqual([]);
    expect(await by([...line, '--source', 'kubernetes:prod'], () => 'y')).toMatchObject({ code: 0 });
    expect(takeWrites(cluster.simulator).join()).toContain(does);
  } finally {
    await cluster.close();
  }
});

test('destroy by its environment, without an entry: refused, and done where the source is named', async () => {
  const cluster = await heldBy('kubernetes:prod');
  const by = (...words: string[]) =>
    runLine(
      ['destroy', ...words],
      {
        ...programAccess(cluster.simulator),
        ...{ PVE_TASK_POLL_INTERVAL: '5ms', PROXMOX_PROTOCOL: '1', PROXMOX_ENTRY: '' },
        ...{
          PROXMOX_CLUSTER: JSON.stringify({ name: 'lab' }),
          PROXMOX_OWNER: 'team/lab',
          PROXMOX_MACHINE: 'web',
        },
      },
      '',
    );
  try {
    expect(await by()).toMatchObject({
      code: 3,
      said: expect.stringContaining("--source 'kubernetes:prod'"),
    });
    expect(takeWrites(cluster.simulator)).toEqual([]);
    expect(await by('--source', 'kubernetes:prod')).toMatchObject({ code: 0 });
    expect(takeWrites(cluster.simulator).join()).toContain('DELETE');
  } finally {
    await cluster.close();
  }
});
