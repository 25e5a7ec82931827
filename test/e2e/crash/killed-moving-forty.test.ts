import { inParallel, numbersBelow } from '../../support/in-parallel';
import { fortyHeld } from '../../support/moving/held-forty';
import { KilledMoves } from '../../support/moving/killed-move';
import { deaths } from '../../support/processes/killed-runs';
import { dice } from '../../support/random/dice';
import { skipped } from '../../support/skipped';
import { EVERY } from '../../support/turns';

/** What chance chooses from: by far not all requests of a move of forty, but no more than it has. */
const BELOW = { 'after request k': 150, 'before the answer to write k': 40 };
const KILLS = 12;
const SEED = 29;

describe('forty guests that move in', () => {
  if (!EVERY)
    return skipped('move as well when they are killed', 'it takes minutes: at night, or KILLS=every');

  let moves: KilledMoves;
  beforeAll(async () => {
    moves = new KilledMoves(await fortyHeld());
  });
  afterAll(() => moves.remove());

  it.each(Object.entries(BELOW))(
    'are all moved when the adoption is killed %s, of requests by chance, and runs again',
    async (way, below) => {
      const roll = dice(SEED);
      const requests = [...new Set(numbersBelow(KILLS).map(() => roll(below)))];
      let killed = 0;
      await inParallel(2, requests, async k => {
        if (await moves.dies(deaths[way]!, k)) killed += 1;
      });
      expect(killed).toBe(requests.length);
    },
    600_000,
  );
});
