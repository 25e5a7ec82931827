import { endsAlike, losses } from '../../support/runs/lost-answers';
import { reverts, snapshots } from '../../support/runs/scenarios';

describe.each(Object.entries({ ...snapshots, ...reverts }))('%s', (_, scenario) => {
  it.each(Object.entries(losses))('ends alike when %s, whichever it is', async (_name, fault) => {
    await endsAlike(scenario, fault);
    expect.hasAssertions();
  });
});
