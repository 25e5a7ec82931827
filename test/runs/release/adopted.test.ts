import { releaseFaults } from '../../support/runs/released-adopted';
import { EVERY } from '../../support/turns';

test.each(EVERY ? [1, 1_000] : [1])(
  '40 hand-made machines of any shape, from seed %i, are adopted and released: each is as it was, but for a uuid where it had none',
  async seed => {
    expect(await releaseFaults(seed, 40)).toEqual([]);
  },
);
