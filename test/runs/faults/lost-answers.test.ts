import { endsAlike, losses } from '../../support/runs/lost-answers';
import { scenarios } from '../../support/runs/scenarios';

describe.each(Object.entries(scenarios))('%s', (_, scenario) => {
  it.concurrent.each(Object.keys(losses))('ends alike when %s, whichever it is', async name => {
    expect(await endsAlike(scenario, name)).toBeGreaterThan(0);
  });
});
