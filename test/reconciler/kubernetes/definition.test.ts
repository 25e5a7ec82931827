import { needDefinition } from '../../../reconciler/kubernetes/resources/definition';
import { resource } from '../../support/kubernetes/judged';
import { smallServer, type Answer } from '../../support/kubernetes/small-server';

/** What is said of a machine that was deleted at a time, as its definition is answered. */
async function saidOf(answer: Answer, deletionTimestamp = '2026-05-02T10:00:00Z'): Promise<string> {
  const { client, close } = await smallServer(() => answer);
  try {
    await needDefinition(client, resource('Machine', 'web', {}, { deletionTimestamp }));
    return 'may go';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await close();
  }
}
const madeAt = (creationTimestamp: string, more: object = {}): Answer => ({
  status: 200,
  body: { metadata: { creationTimestamp, ...more } },
});

test.each<[made: string, said: string]>([
  ['2026-05-02T09:59:59Z', 'may go'],
  ['2026-05-02T10:00:00Z', 'with an earlier definition machines.vitistack.io'],
  ['2026-05-02T10:00:01Z', 'with an earlier definition machines.vitistack.io'],
  ['', 'with an earlier definition machines.vitistack.io'],
])('a machine deleted at 10:00:00 whose definition is of %s: %s', async (made, said) => {
  expect(await saidOf(madeAt(made))).toContain(said);
});

test('a definition that is being deleted lets no guest go', async () => {
  const answer = madeAt('2026-05-01T00:00:00Z', { deletionTimestamp: '2026-05-02T10:00:00Z' });
  expect(await saidOf(answer)).toContain('machines.vitistack.io is being deleted');
});
