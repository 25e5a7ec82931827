import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Construct } from 'constructs';
import { SpecError } from '../values/spec-error';

/**
 * What all copies of this package keep together. A library of constructs with a node_modules of its own loads a second
 * copy, whose classes and variables are others: so a construct of ours is known by these maps, and never by `instanceof`.
 */
export function sharedMap<K extends object, V>(name: string): WeakMap<K, V> {
  const key = Symbol.for(`proxmox-constructs/${name}`);
  const there: WeakMap<K, V> | undefined = Reflect.get(globalThis, key);
  const map = there ?? new WeakMap<K, V>();
  Reflect.set(globalThis, key, map);
  return map;
}

type Kind = 'Machine' | 'ProxmoxCluster' | 'Reference';

const KINDS = sharedMap<object, Kind>('kinds');
const FOLDERS = sharedMap<object, string>('folders');

/** Notes what a thing is, for every copy. */
export function noteKind(thing: object, kind: Kind): void {
  KINDS.set(thing, kind);
  noteCopy(thing);
}

/** Whether any copy has made it as such a thing. */
export function isOfKind(thing: unknown, kind: Kind): boolean {
  return typeof thing === 'object' && thing !== null && KINDS.get(thing) === kind;
}

/** Notes that this copy has made a thing. */
export function noteCopy(thing: object): void {
  FOLDERS.set(thing, __dirname);
}

/** Refuses to go on with what a copy of another version has made: that one does not know what this one keeps. */
export function refuseOtherVersion(construct: Construct, thing: object): void {
  const folder = FOLDERS.get(thing) ?? __dirname;
  if (folder === __dirname) return;
  const [theirs, ours] = [folder, __dirname].map(packageOf);
  if (theirs?.version === ours?.version) return;
  const copies = [theirs, ours].map(one => `${one?.version} in ${one?.folder}`);
  throw SpecError.at(
    construct,
    `two copies of this package are loaded, of two versions: ${copies.join(', and ')}. Keep one: name it in "peerDependencies" of the library, install it in the app alone, and install a library that is a folder by: npm install --install-links FOLDER. npm ls shows which package brings which.`,
  );
}

/** The package that a file belongs to: its name and version, and where it is. */
function packageOf(folder: string): { version: string; folder: string } {
  const file = path.join(folder, 'package.json');
  if (existsSync(file)) {
    const { name, version }: { name?: string; version?: string } = JSON.parse(readFileSync(file, 'utf8'));
    if (version !== undefined) return { version: `${name} ${version}`, folder };
  }
  const above = path.dirname(folder);
  return above === folder ? { version: 'one that says no version', folder } : packageOf(above);
}

/** What somebody gave in the place of a construct, in words: not as JSON, which a construct cannot be. */
export function wordsOf(given: unknown): string {
  if (Construct.isConstruct(given)) return `the ${given.constructor.name} ${given.node.path}`;
  if (Array.isArray(given)) return 'a list';
  if (typeof given === 'object' && given !== null) return 'an object';
  return typeof given === 'string' ? JSON.stringify(given) : String(given);
}
