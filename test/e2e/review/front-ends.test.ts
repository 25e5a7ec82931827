import { DEEDS } from '../../support/review/comparison';
import { FRONT_ENDS, type FrontEnd } from '../../support/review/front-ends';
import { STAGES } from '../../support/review/kinds';
import { deedOf, standing } from '../../support/review/outcome';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';

const PROGRAMS = Object.entries(FRONT_ENDS);

type Verdict = keyof typeof DEEDS;

// the command line tells an adoption as a change; a template that is let go has a mark without its entry
const MORE: Partial<Record<Verdict, string[]>> = { change: ['adopted'], forget: ['written'] };

describeEachEngine('what is told before is what the guest then shows', engine => {
  describe.each(PROGRAMS)('through %s', (name, frontEnd) => {
    let [lab, front]: [Deployment | undefined, FrontEnd | undefined] = [undefined, undefined];
    let compared = 0;
    beforeAll(async () => {
      lab = await deployment(engine);
      front = frontEnd(lab);
    });
    afterAll(async () => {
      await lab?.close();
      console.log(`${name}: ${compared} comparisons`);
    });

    const stages = STAGES.filter(({ only }) => only?.includes(name) !== false);
    test.each(stages.map(stage => [stage.name, stage] as const))('%s', async (_, { before, said, says }) => {
      if (!lab || !front) throw new Error('it is not set up');
      await before?.(lab);
      await front.say(said);
      const told = await front.told();
      expect(told).toMatchObject(says);
      const then = standing(lab.world);
      lab.simulator.ledger.reset();
      const { code, text } = await front.apply();
      const refused = Object.values(told).includes('refused');
      expect({ fails: code !== 0, text: code !== 0 && !refused ? text : '' }).toEqual({
        fails: refused,
        text: '',
      });
      const [now, writes] = [
        standing(lab.world),
        lab.simulator.ledger.entries().filter(({ write }) => write),
      ];
      const differ = Object.entries(told).flatMap(([id, verdict]) => {
        compared += 1;
        const deed = deedOf(id, then, now, writes);
        const may: string[] = [...DEEDS[verdict as Verdict], ...(MORE[verdict as Verdict] ?? [])];
        return may.includes(deed) ? [] : [`${id}: ${verdict} was told, and it is ${deed}`];
      });
      expect(differ).toEqual([]);
    });
  });
});
