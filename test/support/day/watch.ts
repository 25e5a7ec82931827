import type { Begun } from './day';
import type { Scrape, WatchedDaemon } from './watched-daemon';

/** So long may an incident stay unseen or unmended; the longest pause of the daemon is five minutes. */
const MOST_MINUTES = 60;
/** So many lines of the log explain a fault. */
const MOST_TOLD = 12;

interface Open {
  name: string;
  begun: Begun;
  since: number;
  firstLine: number;
  line: number;
  then: Scrape;
  isOver: boolean;
  isLogged: boolean;
  isCounted: boolean;
}

/** Holds the incidents against what the daemon says and counts. */
export class Watch {
  readonly faults: string[] = [];
  private readonly counts = new Map<string, { begun: number; cannot: number; minutes: number }>();
  private all: Open[] = [];
  private latest: Scrape = new Map();
  private readonly levels = new Map<string, number>();
  private counted = 0;

  constructor(
    private readonly daemon: WatchedDaemon,
    private readonly tell: (text: string) => void,
  ) {}

  get isAtPeace(): boolean {
    const isBad = [...this.latest].some(
      ([name, value]) => value > 0 && /^proxmox_operator_machines_total\{phase="(?!Running)/.test(name),
    );
    return this.all.length === 0 && this.latest.size > 0 && !isBad;
  }

  concerns(machine: string): boolean {
    return this.all.some(({ begun }) => begun.machine === machine);
  }

  async begin(name: string, incident: () => Promise<Begun | undefined>, minute: number): Promise<void> {
    const { lines } = this.daemon;
    const line = lines.length;
    const then = this.latest;
    const begun = await incident();
    const count = this.counts.get(name) ?? { begun: 0, cannot: 0, minutes: 0 };
    this.counts.set(name, count);
    if (!begun) return void (count.cannot += 1);
    count.begun += 1;
    this.tell(`${minute}: ${begun.text}`);
    const state = { isOver: false, isLogged: false, isCounted: false };
    this.all.push({ name, begun, since: minute, firstLine: line, line, then, ...state });
  }

  /** Looks at the log and the numbers of now. */
  async look(minute: number): Promise<void> {
    const { lines } = this.daemon;
    this.latest = (await this.daemon.scrape().catch(() => undefined)) ?? this.latest;
    for (const { level, message } of lines.slice(this.counted)) {
      const kind = `${level} ${message.replaceAll(/\d+/g, '#').slice(0, 60)}`;
      this.levels.set(kind, (this.levels.get(kind) ?? 0) + 1);
    }
    this.counted = lines.length;
    for (const open of this.all) await this.lookAt(open, minute);
    this.all = this.all.filter(open => !(open.isOver && open.isLogged && open.isCounted));
  }

  /** Ends what would last longer. */
  async endAll(): Promise<void> {
    for (const open of this.all) await end(open);
  }

  /** What is not over, or was not seen. */
  open(): string[] {
    return this.all.map(told);
  }

  summary(minute: number): string {
    const each = [...this.counts].map(
      ([name, { begun, cannot, minutes }]) =>
        `  ${name}: ${begun} times, seen after ${(minutes / Math.max(1, begun)).toFixed(1)} minutes; ${cannot} times it could not be`,
    );
    const lines = [...this.levels]
      .sort(([, a], [, b]) => b - a)
      .map(([kind, count]) => `  ${count} × ${kind}`);
    return [`${minute} minutes, ${this.counted} lines`, ...each, ...lines.slice(0, 40)].join('\n');
  }

  /** What the daemon said meanwhile of the machine, or of all. */
  private tellAbout({ begun: { machine }, firstLine }: Open): void {
    const said = this.daemon.lines.slice(firstLine).filter(line => line['machine'] === machine);
    for (const line of said.slice(0, MOST_TOLD)) this.tell(`  ${JSON.stringify(line).slice(0, 400)}`);
  }

  private async lookAt(open: Open, minute: number): Promise<void> {
    const { begun, since, then } = open;
    const { lines } = this.daemon;
    open.isLogged ||= lines.slice(open.line).some(begun.log);
    open.line = lines.length;
    const isCounted = begun.metrics(this.latest, then);
    open.isCounted ||= isCounted;
    if (minute - since >= (begun.minutes ?? 0)) await end(open);
    if (open.isOver && open.isLogged && open.isCounted) {
      const count = this.counts.get(open.name);
      if (count) count.minutes += minute - since;
    }
    if (minute - since > MOST_MINUTES) {
      this.faults.push(`after an hour: ${told(open)}`);
      this.tell(`FAULT after an hour: ${told(open)}`);
      this.tellAbout(open);
      Object.assign(open, { isLogged: true, isCounted: true });
    }
  }
}

async function end(open: Open): Promise<void> {
  if (open.isOver) return;
  open.isOver = true;
  await open.begun.end?.();
}

function told({ begun, since, isLogged, isCounted }: Open): string {
  const missing = [...(isLogged ? [] : ['the log']), ...(isCounted ? [] : ['the numbers'])].join(' and ');
  return `minute ${since}: ${begun.text}: not seen in ${missing}`;
}
