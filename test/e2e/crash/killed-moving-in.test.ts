import { eachUntilDone } from '../../support/in-parallel';
import { heldState, heldWorld } from '../../support/moving/held-guests';
import { KilledMoves } from '../../support/moving/killed-move';
import { deaths } from '../../support/processes/killed-runs';
import { turnsOf } from '../../support/turns';

const MARKS = { 300: 'shop this-0', 301: 'shop this-1', 302: 'shop db', 303: 'shop cache' };

let moves: KilledMoves;
beforeAll(async () => {
  moves = new KilledMoves({ world: await heldWorld(), state: heldState(), marks: MARKS, resources: 3 });
});
afterAll(() => moves.remove());

/** Each death is at each request where KILLS=every says so; else after every fifth, and at each write. */
const FIFTH = 5;

it.each(Object.entries(deaths))(
  'guests move as well when the adoption is killed %s, and the same command ends it',
  async (_, death) => {
    let killed = 0;
    const dies = async (k: number): Promise<boolean> => {
      const wasKilled = await moves.dies(death, k);
      if (wasKilled) killed += 1;
      return !wasKilled;
    };
    await eachUntilDone(2, dies, death.methods ? undefined : turnsOf(0, FIFTH));
    expect(killed).toBeGreaterThan(3);
  },
);
