import type { FrontEnd } from './acted';
import { namedInJson } from './named';
import { entryOf, reviewed } from './reviewed';
import { ours } from './stage';
import { markOf } from './standing';
import { Watch } from './watch';

/**
 * What Terraform does: it asks the observer, destroys the entries that left, then applies the others with the tokens of
 * its plan; somebody else may act before that. The same JSON and variables as Terraform sends, without its process.
 */
export const terraform: FrontEnd = async (stage, roll, gap) => {
  const { lab, want, ofTerraform } = stage;
  const machines = [...want.values()].filter(({ id }) => ofTerraform.has(String(id)));
  const held = ours(stage).flatMap(guest => (markOf(guest)?.e === undefined ? [] : [markOf(guest)?.m ?? '']));
  const leaving = [...new Set(held)].filter(id => !want.has(id));
  if (machines.length + leaving.length === 0) return undefined;
  const review = await reviewed(stage, machines, leaving);
  const watch = new Watch(lab.simulator);
  const ran: { code: number | null; stderr: string }[] = [];
  for (const id of leaving) ran.push(await lab.destroy(id, { entry: entryOf(id) }));
  if (roll(2) === 0) await watch.outside(gap);
  if (ran.every(({ code }) => code === 0))
    for (const { snapshots: _, ...spec } of machines) {
      const { token = '' } = review.told[String(spec['id'])] ?? {};
      ran.push(
        await lab.apply({ ...spec, id: String(spec['id']) }, { entry: entryOf(String(spec['id'])), token }),
      );
    }
  const diffs = Object.values(review.told).map(({ diff }) =>
    JSON.parse(diff === undefined || diff === '' ? '{}' : diff),
  );
  return {
    ...{ how: `terraform apply (${leaving.join(' ')} leaving)`, ...watch.seenUntilNow() },
    ...{ isDone: ran.every(({ code }) => code === 0), hasFlag: false },
    names: leaving.length > 0 ? review.names : { observe: namedInJson(diffs), ...review.names },
    said: [...review.said, ...ran.map(({ stderr }) => stderr)],
  };
};
