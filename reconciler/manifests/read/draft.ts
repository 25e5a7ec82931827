import type { Path } from '../../../spec';

type Json = Record<string, unknown>;

/** A part of a spec in the making, and where in its manifest each value was said. */
export class Draft {
  readonly json: Json = {};
  private readonly said: { to: Path; from: Path }[] = [];

  /** Sets a value. Where it is set already, or a part of it, nothing happens and the place that said so comes back. */
  set(to: Path, value: unknown, from: Path): Path | undefined {
    const earlier = this.said.find(({ to: other }) => touches(other, to));
    if (earlier !== undefined) return earlier.from;
    put(this.json, to, value);
    this.said.push({ to, from });
    return undefined;
  }

  /** Remembers where the parts of a value were said that is made of another draft's. */
  adopt(at: Path, { said }: Draft): void {
    this.said.push(...said.map(({ to, from }) => ({ to: [...at, ...to], from })));
  }

  /** Where in the manifest the value at a path of the spec was said. */
  sourceOf(path: Path): Path {
    const fitting = this.said.filter(({ to }) => to.every((key, index) => key === path[index]));
    const nearest = fitting.sort((a, b) => b.to.length - a.to.length)[0];
    if (nearest === undefined) return ['spec', ...path];
    return [...nearest.from, ...path.slice(nearest.to.length)];
  }
}

function touches(one: Path, other: Path): boolean {
  const shorter = Math.min(one.length, other.length);
  return one.slice(0, shorter).every((key, index) => key === other[index]);
}

/** Numbers in a path are indices of lists, made where there are none. */
function put(holder: Json | unknown[], [key = '', ...rest]: Path, value: unknown): void {
  const [next] = rest;
  const inner = next === undefined ? value : (at(holder, key) ?? (typeof next === 'number' ? [] : {}));
  if (Array.isArray(holder)) holder[Number(key)] = inner;
  else holder[String(key)] = inner;
  if (next !== undefined && isHolder(inner)) put(inner, rest, value);
}

function at(holder: Json | unknown[], key: PropertyKey): unknown {
  return Array.isArray(holder) ? holder[Number(key)] : holder[String(key)];
}

function isHolder(value: unknown): value is Json | unknown[] {
  return typeof value === 'object' && value !== null;
}
