import type { Row } from '../record/shape';
import { shown } from '../record/shown';
import type { Difference } from './match';
import { differences } from './match';
import type { Bindings } from './placeholder';
import type { Step } from './step';

export interface Answer {
  status: number;
  reason: string;
  text: string;
}

/** An answer as it is compared, and how the task ended that it started. */
export interface Outcome {
  status: number;
  reason: string;
  body?: unknown;
  text?: string;
  task?: Row;
}

export function outcomeOf({ status, reason, text }: Answer): Outcome {
  try {
    const body: unknown = JSON.parse(text);
    return { status, reason, body };
  } catch {
    return { status, reason, text };
  }
}

/** How an outcome differs from the recorded one, by the rules of test/contract/recordings/FORMAT.md. */
export function compare({ expect }: Step, outcome: Outcome, bindings: Bindings): Difference[] {
  if (expect.status !== outcome.status) {
    const recorded = `${expect.status} ${expect.reason ?? ''}`.trim();
    const here = `${outcome.status} ${outcome.reason}`.trim();
    return [{ kind: 'status', says: `status: recorded ${shown(recorded)}, here ${shown(here)}` }];
  }
  const found =
    expect.reason === undefined ? [] : differences(expect.reason, outcome.reason, bindings, 'reason');
  if ('body' in expect) {
    if (outcome.body === undefined)
      found.push({
        kind: 'type',
        says: `answer: recorded JSON, here ${shown(outcome.text ?? '') || 'nothing'}`,
      });
    else found.push(...differences(expect.body, outcome.body, bindings, 'answer'));
  } else if (expect.text !== undefined) {
    found.push(...differences(expect.text, outcome.text ?? outcome.body, bindings, 'answer'));
  }
  if (!expect.task) return found;
  if (!outcome.task) return [...found, { kind: 'key', says: 'task: recorded one, here none was started' }];
  return [
    ...found,
    ...differences(withoutChatter(expect.task), withoutChatter(outcome.task), bindings, 'task'),
  ];
}

// FORMAT.md: lines of progress and chatter were dropped from the recordings, from the later ones also the command;
// the latest still have the lines of qemu-img
const CHATTER =
  /^(Formatting '|update VM \d+: |drive mirror is starting for |all 'mirror' jobs are ready$|drive-\S+: (Completing|Completed|mirror-job) )/;

/** A task as FORMAT.md compares it: of its log only what the recordings keep. */
function withoutChatter({ log, ...task }: Row): Row {
  if (!Array.isArray(log)) return task;
  return {
    ...task,
    log: log
      .map(String)
      .filter(line => !CHATTER.test(line))
      .map(withoutMoment),
  };
}

/** The latest recordings hold the times, addresses and durations that the others have placeholders for. */
function withoutMoment(line: string): string {
  return line
    .replace(/^(<time>|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) /, 'TIME ')
    .replace(/ \((<ip>|[\d.]+)\)$/, ' (ADDRESS)')
    .replace(/\(duration (<\w+>|\d\d:\d\d:\d\d)\)/, '(duration TIME)');
}
