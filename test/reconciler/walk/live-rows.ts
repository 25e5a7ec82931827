import { Live } from './live';
import type { Json } from './planned';
import type { Proof } from './proof';

const blank = { id: 'web', image: { blank: true } };

/** What a verb of people writes and says for one machine, on clusters that are alike. */
export const runs = (verb: string, ...machines: Json[]): Proof => ({
  differ: () =>
    Promise.all(
      machines.map(each =>
        Live.with(async live => {
          Object.values(live.simulator.world.guests).forEach(guest => {
            guest.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
          });
          const { code, said } = await live.people(verb, [{ ...blank, ...each }]);
          return { code, writes: live.writes(), said: timeless(said) };
        }),
      ),
    ),
});

/** What is said of a machine that stands under this id, when this is wanted of it now. */
export const later = (first: Json, ...then: Json[]): Proof => ({
  differ: () =>
    Promise.all(
      then.map(each =>
        Live.with(async live => {
          await live.people('reconcile', [{ ...blank, ...first }]);
          const { out, said } = await live.people('plan', [{ ...blank, ...each }]);
          return out + said;
        }),
      ),
    ),
});

function timeless(said: string): string {
  return said.replace(/\(\d.*? s\)/g, '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uuid');
}
