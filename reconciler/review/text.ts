import { oneLine } from '../report/visible';
import type { FieldChange, Review, ReviewedMachine } from './review';
import {
  costText,
  disksText,
  hasNoBefore,
  lostText,
  placeText,
  shown,
  isQuiet,
  titleOf,
  totalsText,
  WORDS,
} from './words';

/** A review for a terminal. Machines that stay as they are stand in one line. */
export function reviewText(review: Review): string {
  const quiet = review.machines.filter(isQuiet);
  const loud = review.machines.filter(machine => !isQuiet(machine));
  const { commit } = review.about;
  return [
    ...(commit === undefined ? [] : [`commit ${commit}`, '']),
    ...review.warnings.map(warning => `! ${oneLine(warning)}`),
    ...(review.warnings.length > 0 ? [''] : []),
    ...loud.flatMap(machine => [...machineLines(machine, review), '']),
    ...(quiet.length > 0
      ? [oneLine(`unchanged: ${quiet.map(one => titleOf(one, review)).join(', ')}`), '']
      : []),
    [totalsText(review), lostText(review)].filter(text => text !== undefined).join(' '),
  ].join('\n');
}

function machineLines(machine: ReviewedMachine, review: Review): string[] {
  const place = placeText(machine);
  const { sign, word } = WORDS[machine.verdict];
  const head = `${sign} ${titleOf(machine, review)}: ${word}`;
  return [
    oneLine(place === '' ? head : `${head}, ${place}`),
    ...machine.does.map(action => `    does: ${oneLine(action)}`),
    ...machine.changes.map(change => `    ${changeLine(machine, change)}`),
    ...machine.waiting.map(change => `    ${changeLine(machine, change)}, waits`),
    ...[disksText(machine) ?? [], machine.notes].flat().map(note => `    ${oneLine(note)}`),
  ];
}

function changeLine(machine: ReviewedMachine, change: FieldChange): string {
  const { field, from, to } = change;
  const cost = costText(machine, change);
  const isNew = from === undefined && hasNoBefore(machine);
  const values = isNew ? shown(to) : `${shown(from)} -> ${shown(to)}`;
  return oneLine(`${field}: ${values}${cost === '' ? '' : ` (${cost})`}`);
}
