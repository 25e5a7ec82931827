import type { Event } from '../event';
import { InterruptedError } from '../errors';
import { callLines, callsJson, type CallCount } from './call-count';
import { failureText } from './failure-text';
import { jsonLine, jsonText } from './json-lines';
import { isShown, LEVEL_OF, type Level } from './level';
import { visible } from './visible';
import { indented, lineOf } from './lines';
import { logLine, type LogEntry } from './log-line';
import { LiveLines } from './live-lines';
import { InProgress } from './in-progress';

/** How and where to report. */
export interface Manner {
  write: (text: string) => void;
  level: Level;
  json: boolean;
  /** The width of the terminal that is written to; undefined when it is none. */
  columns?: (() => number) | undefined;
  /** Whoever reads the lines follows long copies by them. */
  tellsPercent?: boolean | undefined;
  /** Failures and warnings have a colour. */
  colours?: boolean | undefined;
}

const REDRAW_MS = 250;

const COLOURS: Partial<Record<Level, string>> = { error: '\u001b[31m', warn: '\u001b[33m' };
const PLAIN = '\u001b[39m';

/** Tells people or programs what happens, on stderr: one line an event, on a terminal one live line a machine too. */
export class Reporter {
  readonly inProgress = new InProgress();
  /** Whether anybody sees how much of a long copy is done: to know it takes requests. */
  readonly tellsPercent: boolean;
  private readonly told: { machine: string | undefined; error: unknown }[] = [];
  private readonly live: LiveLines | undefined;
  private readonly timer: NodeJS.Timeout | undefined;
  private work: string | undefined;

  constructor(private readonly manner: Manner) {
    const { columns, json, level, write } = manner;
    this.tellsPercent =
      isShown('info', level) && (json ? manner.tellsPercent === true : columns !== undefined);
    if (columns === undefined || json || !isShown('info', level)) return;
    this.live = new LiveLines(write, columns);
    this.timer = setInterval(() => this.live?.show(this.liveLines()), REDRAW_MS).unref();
  }

  /** Keeps saying how far a long piece of work is, on a terminal only; undefined: it is done. */
  working(text: string | undefined): void {
    this.work = text;
  }

  private liveLines(): string[] {
    return [...this.inProgress.lines(performance.now()), ...(this.work === undefined ? [] : [this.work])];
  }

  /** Takes an event; may be handed on as a function. */
  readonly report = (event: Event): void => {
    this.inProgress.note(event, performance.now());
    if (event.kind === 'failed' && !this.isNew(event)) return;
    // a live line says it already
    if ((event.kind === 'started' || event.kind === 'percent') && this.live !== undefined) return;
    this.write(LEVEL_OF[event.kind], () => (this.manner.json ? jsonLine(event, new Date()) : lineOf(event)));
  };

  /** Tells that work on a machine failed, in none of the steps of a plan. Gives the error back. */
  failed<E>(machine: string, error: E): E {
    this.report({ kind: 'failed', machine, action: undefined, error });
    return error;
  }

  /** Says something that belongs to no machine. */
  say(level: Level, text: string): void {
    this.write(level, () => (this.manner.json ? jsonText(level, text, new Date()) : indented(text)));
  }

  /** Tells which requests were made and why, however little else is reported. */
  tellCalls(count: CallCount): void {
    this.write('error', () => (this.manner.json ? callsJson(count, new Date()) : callLines(count)));
  }

  /** Says something with fields beside it: what a program that runs for long tells. */
  tell({ level, message, fields }: LogEntry): void {
    const now = new Date();
    this.write(level, () =>
      this.manner.json
        ? JSON.stringify({ time: now.toISOString(), level, message, ...fields })
        : logLine({ level, message, fields }, now),
    );
  }

  /** Tells the error that ends the run, unless it was told as the failure of its machine. */
  endsBy(error: unknown, machine?: string): void {
    if (!this.hasTold({ machine, error })) this.say('error', failureText(error, machine));
  }

  /** Takes the live lines away; nothing is drawn any more. */
  end(): void {
    clearInterval(this.timer);
    this.live?.clear();
  }

  /** Whether a failure is still to be reported. An interrupt is reported once for all machines, when the run ends. */
  private isNew({ machine, error }: { machine: string; error: unknown }): boolean {
    if (error instanceof InterruptedError || this.hasTold({ machine, error })) return false;
    this.told.push({ machine, error });
    return true;
  }

  /** By the error itself: others may have the same words, and machines may share one. */
  private hasTold(failure: { machine: string | undefined; error: unknown }): boolean {
    return this.told.some(({ machine, error }) => machine === failure.machine && error === failure.error);
  }

  private write(level: Level, text: () => string): void {
    if (!isShown(level, this.manner.level)) return;
    this.live?.clear();
    const shown = visible(text());
    const colour = this.manner.colours === true && !this.manner.json ? COLOURS[level] : undefined;
    this.manner.write(`${colour === undefined ? shown : `${colour}${shown}${PLAIN}`}\n`);
  }
}
