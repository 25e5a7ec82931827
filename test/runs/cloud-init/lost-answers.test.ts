import { endsAlike, losses } from '../../support/runs/lost-answers';
import { dataIsos } from '../../support/runs/scenarios';

const rows = Object.entries(dataIsos).map(([name, scenario], row) => ({ name, scenario, row }));

describe.each(rows)('$name', ({ scenario, row }) => {
  it.concurrent.each(Object.keys(losses))('ends alike when %s, whichever it is', async name => {
    expect(await endsAlike(scenario, name, row)).toBeGreaterThan(0);
  });
});
