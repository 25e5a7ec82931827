import type { Json } from '../cluster/lab';
import type { FrontEnd } from './acted';
import { daemonFor } from './daemon-for';
import { line, textsOf, type Line } from './line';
import { namedIn, namedInJson } from './named';
import { reviewed, type Names } from './reviewed';
import { one, ours, type Stage } from './stage';
import { markOf } from './standing';
import { terraform } from './terraform';
import { Watch } from './watch';

const peoples = ({ want, ofTerraform }: Stage): Json[] =>
  [...want].filter(([id]) => !ofTerraform.has(id)).map(([, spec]) => spec);

const leavingOf = (stage: Stage): string[] =>
  ours(stage)
    .filter(guest => markOf(guest)?.e === undefined)
    .map(guest => markOf(guest)?.m ?? '')
    .filter(id => !stage.want.has(id));

/** What a destroy of machines that left would take: a plan tells it, and its run does not do it. */
function withoutOrphans(verb: string, json: object): object {
  return verb === 'plan' ? { ...json, orphans: [] } : json;
}

/** What the text or the JSON of a line names. */
function namesOf(verb: string, { out }: Line): Names {
  return out.startsWith('{')
    ? { [`${verb} --json`]: namedInJson(withoutOrphans(verb, JSON.parse(out))) }
    : { [verb]: namedIn(out) };
}

/** `plan`, as text and as JSON, and the review; then `reconcile`. Sometimes of all machines, also those of Terraform. */
const reconcile: FrontEnd = async (stage, roll) => {
  const machines = roll(4) === 0 ? [...stage.want.values()] : peoples(stage);
  if (machines.length === 0) return undefined;
  const plan = await line(stage, roll(2) === 0 ? ['plan', '--json'] : ['plan'], machines);
  const review = await reviewed(stage, machines, []);
  const watch = new Watch(stage.lab.simulator);
  const ran = await line(stage, ['reconcile'], machines);
  return {
    ...watch.seenUntilNow(),
    ...{ how: 'reconcile', isDone: ran.code === 0, hasFlag: false },
    names: { ...namesOf('plan', plan), ...review.names },
    said: [...textsOf(plan, ran), ...review.said],
  };
};

/**
 * A review knows no flag and no source, and looks for what leaves by its tag: then it says that it does not name what goes,
 * or names what the command leaves to the source that wrote it. What no entry has applied, Terraform's own destroy leaves.
 */
const namesNot = (said: string[]): boolean =>
  said.some(text =>
    /refused: .* was kept|nobody has read what|names no registry entry|source \\?".*\\?" wrote it last/.test(
      text,
    ),
  );

/** `destroy NAME`, with its question; somebody else may act before the yes. */
const destroy: FrontEnd = async (stage, roll, gap) => {
  const guests = ours(stage).filter(guest => markOf(guest)?.e === undefined || roll(3) === 0);
  const machine = markOf(one(roll, guests))?.m;
  if (machine === undefined) return undefined;
  const flags = roll(3) === 0 ? ['--with-kept-volumes'] : [];
  const review = await reviewed(stage, [], [machine]);
  const watch = new Watch(stage.lab.simulator);
  let isStale = namesNot(review.said);
  const meanwhile = async (): Promise<void> => {
    isStale = (await gap()) || isStale;
  };
  const ran = await line(stage, ['destroy', machine, ...flags], peoples(stage), () =>
    watch.outside(meanwhile),
  );
  return {
    ...{ how: `destroy ${machine} ${flags.join(' ')}`, isDone: ran.code === 0, hasFlag: flags.length > 0 },
    ...watch.seenUntilNow(),
    names: { question: namedIn(ran.asked), ...(isStale ? {} : review.names) },
    said: [...textsOf(ran), ...review.said],
  };
};

/** `gc`, as text and as JSON, and the review; then `gc --yes`, with the same words. */
const gc: FrontEnd = async (stage, roll) => {
  const machines = peoples(stage);
  const form = roll(2) === 0 ? ['--json'] : [];
  const review = await reviewed(stage, [], leavingOf(stage));
  const flags = roll(3) === 0 ? ['--with-kept-volumes'] : [];
  const list = await line(stage, ['gc', ...form, ...flags], machines);
  const watch = new Watch(stage.lab.simulator);
  const ran = await line(stage, ['gc', '--yes', ...flags], machines);
  return {
    ...{ how: `gc --yes ${flags.join(' ')}`, isDone: ran.code === 0, hasFlag: flags.length > 0 },
    ...watch.seenUntilNow(),
    names: { ...namesOf('gc', list), ...(namesNot([...review.said, ...textsOf(list)]) ? {} : review.names) },
    said: [...textsOf(list, ran), ...review.said],
  };
};

/** A daemon that prunes: it brings the machines to their specs too, so that the plan and the list of gc stand for it. */
const daemon: FrontEnd = async (stage, roll) => {
  const machines = peoples(stage);
  const form = roll(2) === 0 ? ['--json'] : [];
  const plan = await line(stage, ['plan', ...form], machines);
  const list = await line(stage, ['gc', ...form], machines);
  const review = await reviewed(stage, machines, leavingOf(stage));
  const watch = new Watch(stage.lab.simulator);
  const log = await daemonFor(stage, machines);
  const named = [plan, list].flatMap(ran => Object.values(namesOf('', ran)).flatMap(keys => [...keys]));
  return {
    ...watch.seenUntilNow(),
    ...{ how: 'run --prune', isDone: false, hasFlag: false },
    names: { [`plan and gc ${form.join()}`]: new Set(named), ...(namesNot(review.said) ? {} : review.names) },
    said: [...textsOf(plan, list), log, ...review.said],
  };
};

/** `snapshot delete`, with its question. */
const deleteSnapshot: FrontEnd = async (stage, roll, gap) => {
  const machines = peoples(stage);
  const guests = ours(stage).filter(({ snapshots }) => Object.keys(snapshots).length > 0);
  const guest = one(roll, guests);
  const [id, name] = [markOf(guest)?.m, one(roll, Object.keys(guest?.snapshots ?? {}))];
  if (id === undefined || name === undefined || !machines.some(each => each['id'] === id)) return undefined;
  const watch = new Watch(stage.lab.simulator);
  const ran = await line(stage, ['snapshot', 'delete', id, name], machines, () => watch.outside(gap));
  return {
    ...{ how: `snapshot delete ${id} ${name}`, isDone: ran.code === 0, hasFlag: false },
    ...{ ...watch.seenUntilNow(), said: textsOf(ran) },
    names: { question: namedIn(ran.asked) },
  };
};

/** Each with how often it takes its turn. */
export const FRONT_ENDS: readonly (readonly [FrontEnd, number])[] = [
  [reconcile, 8],
  [destroy, 3],
  [gc, 3],
  [terraform, 5],
  [deleteSnapshot, 1],
  [daemon, 1],
];
