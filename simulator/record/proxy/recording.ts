import type { Exchange } from './exchange';
import { dataOf, isSame, taskAsked } from './exchange';
import { secretsIn } from './secrets';

/** Enough for a day of work, and little enough for a person to look through. */
const MOST_EXCHANGES = 10_000;
const MOST_BYTES = 256 * 1024 ** 2;
/** What an exchange takes besides its texts. */
const FRAME = 2048;

interface Look {
  number: number;
  exchange: Exchange;
}

/**
 * What was handed on so far. Looks that come again and again, with nothing written between them, are kept once, so that
 * waiting takes no room. Once it is full it takes nothing more: with a gap in it the rest would make no sense.
 */
export class Recording {
  /** Secrets of looks that were not kept. */
  readonly secrets = new Set<string>();
  folded = 0;
  lost = 0;
  private readonly kept = new Map<number, Exchange>();
  private readonly looks = new Map<string, Look[]>();
  private next = 0;
  private bytes = 0;

  constructor(
    private readonly whenFull: (text: string) => void,
    private readonly most = { exchanges: MOST_EXCHANGES, bytes: MOST_BYTES },
  ) {}

  get exchanges(): Exchange[] {
    return [...this.kept.values()];
  }

  add(exchange: Exchange): void {
    if (this.lost === 0 && exchange.method === 'GET') this.fold(exchange);
    else if (this.lost === 0) {
      this.looks.clear();
      this.keep(exchange);
    } else this.lost += 1;
  }

  private fold(exchange: Exchange): void {
    const looks = this.looks.get(exchange.path) ?? [];
    const earlier = looks.find(look => isSame(look.exchange, exchange));
    if (!earlier) {
      const number = this.keep(exchange);
      if (number !== undefined) this.looks.set(exchange.path, [...looks, { number, exchange }]);
      return;
    }
    this.folded += 1;
    // the first look that saw a task at its end is the one that counts
    const goes = sawEnd(earlier.exchange) ? exchange : earlier.exchange;
    for (const secret of secretsIn([goes])) this.secrets.add(secret);
    if (goes === exchange) return;
    const again = { ...exchange, isRepeated: true };
    const number = this.keep(again, earlier);
    if (number !== undefined) Object.assign(earlier, { number, exchange: again });
  }

  /** The number of an exchange that was kept, in the place of another; undefined where there is no room. */
  private keep(exchange: Exchange, instead?: Look): number | undefined {
    const bytes = this.bytes + sizeOf(exchange) - (instead ? sizeOf(instead.exchange) : 0);
    const count = this.kept.size + (instead ? 0 : 1);
    if (count > this.most.exchanges || bytes > this.most.bytes) {
      this.lost += 1;
      this.whenFull(fullText(this.kept.size, this.bytes));
      return undefined;
    }
    if (instead) this.kept.delete(instead.number);
    this.next += 1;
    this.kept.set(this.next, exchange);
    this.bytes = bytes;
    return this.next;
  }
}

const fullText = (count: number, bytes: number): string =>
  `the recording is full (${count} requests, ${Math.ceil(bytes / 1024 ** 2)} MiB): requests are handed on, and what comes ` +
  'from now on is not in the file. Ctrl-C writes what there is; record the rest into another file';

function sawEnd(exchange: Exchange): boolean {
  if (taskAsked(exchange)?.what !== 'status') return false;
  const data = dataOf(exchange);
  return typeof data === 'object' && data !== null && 'status' in data && data.status === 'stopped';
}

/** At most two bytes for each sign. */
function sizeOf({ query, body = '', answer = '' }: Exchange): number {
  return FRAME + query.length + body.length + 2 * answer.length;
}
