import { shown } from '../record/shown';
import type { Played } from './player';
import type { Scenario, Step } from './step';

const MOST_LINES = 8;

/** How many steps are as recorded, differ, or were not played, and how many differences of each kind there are. */
export class Tally {
  private right = 0;
  private wrong = 0;
  private leftOut = 0;
  private scenarios = 0;
  private readonly kinds = new Map<string, number>();

  add(played: readonly Played[]): void {
    this.scenarios += 1;
    for (const { step, differences, leftOut } of played) {
      if (leftOut !== undefined) this.leftOut += 1;
      else if (differences.length > 0) this.wrong += 1;
      else if (!step.control) this.right += 1;
      for (const { kind } of differences) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    }
  }

  /** Whether all that was compared is as recorded, and something was. */
  get isRight(): boolean {
    return this.wrong === 0 && this.right > 0;
  }

  text(): string {
    const kinds = [...this.kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ');
    const parts = [
      `${counted(this.scenarios, 'scenario')}: ${counted(this.right, 'step')} as recorded`,
      `${this.wrong} otherwise${kinds === '' ? '' : ` (${kinds})`}`,
      ...(this.leftOut > 0 ? [`${this.leftOut} not played`] : []),
    ];
    const nothing = this.right + this.wrong === 0 ? ' Nothing was compared.' : '';
    return `${parts.join(', ')}.${nothing}\n`;
  }
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** What is said of one scenario. */
export function reportOf({ name }: Scenario, played: readonly Played[]): string {
  const steps = played.filter(({ step }) => !step.control);
  const wrong = steps.filter(({ differences }) => differences.length > 0);
  const right = steps.filter(({ differences, leftOut }) => differences.length === 0 && leftOut === undefined);
  const lines = [
    `${wrong.length === 0 ? 'ok  ' : 'diff'} ${shown(name)}: ${right.length} of ${counted(steps.length, 'step')} as recorded`,
    ...wrong.flatMap(({ step, differences }) => [
      `  step ${step.n}, ${shownStep(step)}:`,
      ...differences.slice(0, MOST_LINES).map(({ says }) => `    ${says}`),
      ...(differences.length > MOST_LINES ? [`    and ${differences.length - MOST_LINES} more`] : []),
    ]),
    ...leftOutLines(played),
  ];
  return `${lines.join('\n')}\n`;
}

const shownStep = ({ method, path, as }: Step): string =>
  shown(
    `${method} ${path} as ${as.replace(/=.*|^ticket:.*/s, match => (match.startsWith('=') ? '' : 'a ticket'))}`,
  );

function leftOutLines(played: readonly Played[]): string[] {
  const reasons = new Map<string, number[]>();
  for (const { step, leftOut } of played)
    if (leftOut !== undefined) reasons.set(leftOut, [...(reasons.get(leftOut) ?? []), step.n]);
  return [...reasons].map(([why, steps]) => {
    const which =
      steps.length === 1
        ? `step ${steps[0]}`
        : `steps ${steps.slice(0, 6).join(', ')}${steps.length > 6 ? ', …' : ''}`;
    return `  not played, ${which}: ${shown(why)}`;
  });
}
