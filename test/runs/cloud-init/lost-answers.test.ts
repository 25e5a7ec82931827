import { endsAlike, losses } from '../../support/runs/lost-answers';
import { dataIsos } from '../../support/runs/scenarios';

describe.each(Object.entries(dataIsos))('%s', (_, scenario) => {
  it.each(Object.entries(losses))('ends alike when %s, whichever it is', async (_name, fault) => {
    await endsAlike(scenario, fault);
    expect.hasAssertions();
  });
});
