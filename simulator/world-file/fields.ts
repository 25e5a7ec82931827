import { closest } from './closest';

/** A world file that cannot be loaded. The message says where, what stands there and what may stand there. */
class WorldFileError extends Error {
  override readonly name = 'WorldFileError';
}

/** Fails with the place, the value and what is allowed. */
export function refuse(at: string, value: unknown, allowed: string): never {
  const place = at === '' ? 'the file' : at;
  const shown = value === undefined ? 'nothing' : JSON.stringify(value);
  throw new WorldFileError(`${place}: ${shown} is not allowed; expected ${allowed}`);
}

/**
 * Reads one object of a world file field by field. What was not asked for when `end` is called is unknown, and
 * `end` says so; so a reader that forgets to call it accepts anything.
 */
export class Fields {
  private readonly asked = new Set<string>();
  private readonly values: Record<string, unknown>;

  constructor(
    value: unknown,
    readonly at: string,
  ) {
    if (!isRecord(value)) refuse(at, value, 'an object');
    this.values = value;
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  raw(name: string): unknown {
    this.asked.add(name);
    return this.values[name];
  }

  text(name: string, otherwise?: string): string {
    return this.read(name, otherwise, 'a text', value => (typeof value === 'string' ? value : undefined));
  }

  /** A whole number, not negative. */
  count(name: string, otherwise?: number): number {
    return this.read(name, otherwise, 'a whole number, 0 or more', value =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined,
    );
  }

  /** true and false, or 1 and 0. */
  flag(name: string, otherwise?: boolean): boolean {
    return this.read(name, otherwise, 'true, false, 1 or 0', value => {
      if (value === true || value === 1) return true;
      return value === false || value === 0 ? false : undefined;
    });
  }

  oneOf(name: string, allowed: readonly string[], otherwise?: string): string {
    const text = this.text(name, otherwise);
    if (allowed.includes(text)) return text;
    const near = closest(text, allowed);
    const hint = near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`;
    refuse(this.place(name), text, `one of ${allowed.join(', ')}${hint}`);
  }

  /** Each element of a list; an absent list is empty. */
  list<T>(name: string, read: (value: unknown, at: string) => T): T[] {
    const value = this.raw(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) refuse(this.place(name), value, 'a list');
    return value.map((element: unknown, index) => read(element, `${this.place(name)}[${index}]`));
  }

  /** Each entry of a map; an absent map is empty. */
  map<T>(name: string, read: (value: unknown, at: string, key: string) => T): Record<string, T> {
    const value = this.raw(name);
    if (value === undefined) return {};
    if (!isRecord(value)) refuse(this.place(name), value, 'an object');
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, read(entry, `${this.place(name)}.${key}`, key)]),
    );
  }

  /** Fails when a field stands there that nobody asked for. */
  end(): void {
    const unknown = Object.keys(this.values).find(name => !this.asked.has(name));
    if (unknown === undefined) return;
    const known = [...this.asked];
    const near = closest(unknown, known);
    const hint =
      near === undefined ? `known are ${known.join(', ')}` : `did you mean ${JSON.stringify(near)}?`;
    throw new WorldFileError(`${this.place(unknown)}: unknown field; ${hint}`);
  }

  place(name: string): string {
    return this.at === '' ? name : `${this.at}.${name}`;
  }

  private read<T>(
    name: string,
    otherwise: T | undefined,
    allowed: string,
    parse: (value: unknown) => T | undefined,
  ): T {
    const value = this.raw(name);
    if (value === undefined && otherwise !== undefined) return otherwise;
    return parse(value) ?? refuse(this.place(name), value, allowed);
  }
}

/** One of a kind, or a list of them. `read` is told where each stands. */
export function oneOrMany<T>(json: unknown, kind: string, read: (json: unknown, at: string) => T): T[] {
  return Array.isArray(json)
    ? json.map((each, index) => read(each, `${kind}s[${index}]`))
    : [read(json, kind)];
}

/** Text as it stands in a configuration file: numbers and booleans of the world file are written as Proxmox does. */
export function configText(value: unknown, at: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  return refuse(at, value, 'a text, a number or a boolean');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
