import type { Random } from '../random';
import type { Fault } from './fault';

/** What a fault may look at. */
export interface Met {
  method: string;
  path: string;
  user: string | undefined;
}

/** A fault that is set, and how it went so far. */
export interface SetFault {
  id: number;
  fault: Fault;
  /** Requests that it could have met. */
  seen: number;
  /** Requests that it met. */
  hits: number;
}

interface Armed extends SetFault {
  pattern: RegExp;
}

/** The faults that are set. They meet requests in the order in which they were set. */
export class Faults {
  private armed: Armed[] = [];
  private nextId = 1;

  constructor(private readonly random: Random) {}

  /** Sets a fault; the number it returns takes it away again. */
  add(fault: Fault): number {
    const id = this.nextId;
    this.nextId += 1;
    this.armed.push({ id, fault, seen: 0, hits: 0, pattern: patternOf(fault.path) });
    return id;
  }

  /** Whether there was such a fault. */
  remove(id: number): boolean {
    const before = this.armed.length;
    this.armed = this.armed.filter(fault => fault.id !== id);
    return this.armed.length < before;
  }

  clear(): void {
    this.armed = [];
  }

  list(): SetFault[] {
    return this.armed.map(({ id, fault, seen, hits }) => ({ id, fault, seen, hits }));
  }

  /** The faults that meet this request; each of them counts it. */
  meet(met: Met): SetFault[] {
    return this.armed.length === 0 ? [] : this.armed.filter(armed => this.strikes(armed, met));
  }

  private strikes(armed: Armed, { method, path, user }: Met): boolean {
    const { fault, pattern } = armed;
    if (fault.methods && !fault.methods.includes(method)) return false;
    if (fault.user !== undefined && fault.user !== user) return false;
    if (!pattern.test(path)) return false;
    armed.seen += 1;
    if (armed.seen <= (fault.after ?? 0)) return false;
    if (fault.count !== undefined && armed.hits >= fault.count) return false;
    if (fault.probability !== undefined && this.random.next() >= fault.probability) return false;
    armed.hits += 1;
    return true;
  }
}

function patternOf(glob: string): RegExp {
  const parts = glob.split('/').map(part => {
    if (part === '**') return '.*';
    return part
      .split('*')
      .map(text => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]*');
  });
  return new RegExp(`^${parts.join('/')}/?$`, 's');
}
