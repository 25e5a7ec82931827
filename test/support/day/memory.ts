import { sumOf, type Scrape, type WatchedDaemon } from './watched-daemon';

/** The first samples are those of a program that still learns; fewer than so many say nothing. */
const LEARNING = 4;
const LEAST = 12;
const MOST_GROWTH = 1.2;
const MIB = 2 ** 20;

/** What the daemon holds after its memory was cleared, from time to time. */
export class Memory {
  private readonly samples: { heap: number; resident: number }[] = [];

  constructor(private readonly daemon: Pick<WatchedDaemon, 'isAlive'>) {}

  note(scrape: Scrape | undefined): void {
    if (scrape === undefined || !this.daemon.isAlive()) return;
    const of = (name: string): number => sumOf(scrape, new RegExp(`^${name}$`)) / MIB;
    this.samples.push({
      heap: of('nodejs_heap_size_used_bytes'),
      resident: of('process_resident_memory_bytes'),
    });
  }

  summary(): string {
    const texts = this.samples.map(({ heap, resident }) => `${heap.toFixed(1)}/${resident.toFixed(0)}`);
    return `memory in MiB, heap/resident, each half hour: ${texts.join(' ')}`;
  }

  /** Whether the last third holds more than the first. */
  faults(): string[] {
    // a short day, as in the gate, is no proof of memory
    const known = this.samples.slice(LEARNING).map(({ heap }) => heap);
    if (known.length < LEAST) return [];
    const third = Math.floor(known.length / 3);
    const [before, after] = [median(known.slice(0, third)), median(known.slice(-third))];
    return after > before * MOST_GROWTH ? [`the heap grew from ${before} to ${after} MiB`] : [];
  }
}

function median(all: readonly number[]): number {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
}
