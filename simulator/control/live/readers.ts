import type { Duplex } from 'node:stream';
import type { Watched } from '../watched';
import { Board, nothingKnown } from './board';
import type { Known } from './board';

/** More pages than these at once are turned away. */
export const MOST_READERS = 8;

/** A reader that has taken nothing for so long is cut off; its page comes back by itself. Real milliseconds. */
const PATIENCE_MS = 30_000;

/** So often a quiet connection gets a line, so that a broken one is found. */
const SIGN_OF_LIFE_MS = 15_000;

/** The shortest time between two looks at the cluster, and how many times as long as it took a look must wait. */
const LEAST_MS = 100;
const SHARE = 4;

interface Reader {
  socket: Duplex;
  known: Known;
  /** Real time of the last moment when it was ready for more. */
  takenAt: number;
}

/**
 * Who follows the cluster by server-sent events. Nothing is kept for a reader but which version it knows: one that
 * reads slowly gets what is so when it is ready, never what was in between.
 */
export class Readers {
  private readonly readers = new Set<Reader>();
  private readonly board: Board;
  private planned: NodeJS.Timeout | undefined;
  private pulse: NodeJS.Timeout | undefined;
  private forgetNext: () => void = () => undefined;
  private lookMs = 0;

  constructor(private readonly site: Watched) {
    this.board = new Board(site);
  }

  isFull(): boolean {
    return this.readers.size >= MOST_READERS;
  }

  /** Tells a new reader all there is, and from then on what changes, until its connection ends. */
  begin(socket: Duplex): void {
    if (this.isFull()) {
      // it was not, when the request was let in
      socket.destroy();
      return;
    }
    const reader: Reader = { socket, known: nothingKnown(), takenAt: performance.now() };
    this.readers.add(reader);
    socket.on('close', () => this.end(reader));
    socket.on('drain', () => {
      reader.takenAt = performance.now();
      this.changed();
    });
    socket.write('retry: 1000\n\n');
    this.pulse ??= setInterval(() => this.beat(), SIGN_OF_LIFE_MS);
    this.changed();
  }

  /** Something may be different. Costs nothing when nobody looks. */
  changed(): void {
    if (this.readers.size === 0 || this.planned) return;
    // real time: a held clock must not hold the page
    this.planned = setTimeout(() => this.tell(), Math.max(LEAST_MS, this.lookMs * SHARE));
  }

  private tell(): void {
    this.planned = undefined;
    const ready = [...this.readers].filter(({ socket }) => !socket.writableNeedDrain);
    if (ready.length === 0) return;
    const began = performance.now();
    try {
      this.board.look();
      for (const reader of ready) {
        const message = this.board.messageFor(reader.known);
        if (message === undefined) continue;
        reader.takenAt = began;
        reader.socket.write(`data: ${message}\n\n`);
      }
    } catch (error) {
      // a defect of ours costs a look, not the cluster
      this.site.sim.defects.note(error);
    }
    this.lookMs = performance.now() - began;
    this.waitForNext();
  }

  /** An agent that begins to answer announces itself to nobody. */
  private waitForNext(): void {
    this.forgetNext();
    const { clock } = this.site.sim;
    const { nextChange } = this.board;
    // a held clock moves by a request, which is change enough
    if (nextChange === undefined || clock.scale() === 0) return;
    this.forgetNext = clock.after(nextChange - clock.now() + 1, () => this.changed());
  }

  private beat(): void {
    const now = performance.now();
    for (const reader of this.readers) {
      if (reader.socket.writableNeedDrain) {
        if (now - reader.takenAt > PATIENCE_MS) reader.socket.destroy();
        continue;
      }
      reader.takenAt = now;
      reader.socket.write(': still here\n\n');
    }
  }

  private end(reader: Reader): void {
    this.readers.delete(reader);
    if (this.readers.size > 0) return;
    clearTimeout(this.planned);
    clearInterval(this.pulse);
    this.planned = this.pulse = undefined;
    this.forgetNext();
  }
}
