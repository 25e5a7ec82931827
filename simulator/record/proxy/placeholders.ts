import { isRow } from '../shape';
import { isSecretRow } from './secret-fields';
import type { SecretFields } from './secret-fields';

/** Where a value was first seen: which step, and where in its answer. */
interface Origin {
  step: number;
  path: string;
}

const ANY = new Set(
  `blockstat proxmox-support ballooninfo nics loadavg balloon running-qemu running-machine out-data err-data`.split(
    /\s+/,
  ),
);
const NUMBERS = new Set(
  `cpu mem memhost disk netin netout diskread diskwrite uptime used avail used_fraction wait idle pid pstart starttime endtime ctime
  snaptime time localtime port free lock-time`.split(/\s+/),
);
const SECRET_PARTS = ['value', 'pending'];
const FIXED: Record<string, string> = {
  ticket: '<ticket>',
  CSRFPreventionToken: '<csrf>',
  ssl_fingerprint: '<fingerprint>',
  pve_fp: '<fingerprint>',
  fingerprint: '<fingerprint>',
};
const KINDS: [string, RegExp][] = [
  ['upid', /UPID:[A-Za-z0-9.-]+:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8,9}:[0-9A-Fa-f]{8}:[^:\s]+:[^:\s]*:[^:\s]+:/g],
  ['uuid', /\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b/g],
  ['mac', /\b(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}\b/g],
  ['hash', /\$[0-9a-z]+\$[^\s,]+/g],
];

/** The step of an answer, and which of its fields nobody may see. */
interface Place {
  step: number;
  isSecret: SecretFields;
}

/** Writes answers with the placeholders of FORMAT.md where another run has another value. */
export class Placeholders {
  private readonly numbers = new Map<string, Map<string, number>>();
  private readonly origins = new Map<string, Origin>();
  private sent = '';

  /** What a request held stays as it is in the answers from now on. */
  remember(request: unknown): void {
    this.sent += `${JSON.stringify(request)}\n`.toLowerCase();
  }

  originOf(value: string): Origin | undefined {
    return this.origins.get(value);
  }

  /** Every value with an origin that a text holds. */
  knownIn(text: string): string[] {
    return [...this.origins.keys()].filter(value => text.includes(value));
  }

  /** An answer, or a part of it, as the scenario has it. */
  write(value: unknown, place: Place, path: string, key = ''): unknown {
    if (Object.hasOwn(FIXED, key) && typeof value === 'string') return FIXED[key];
    if (ANY.has(key) || /^pressure/.test(key)) return '<any>';
    if (NUMBERS.has(key) && (typeof value === 'number' || /^-?[\d.]+$/.test(String(value)))) return '<num>';
    if (typeof value === 'string') return this.text(value, place.step, path);
    if (Array.isArray(value)) return value.map((each, index) => this.write(each, place, `${path}[${index}]`));
    if (!isRow(value)) return value;
    const hidden = isSecretRow(value, place.isSecret) ? SECRET_PARTS : [];
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        (hidden.includes(name) || (!Object.hasOwn(FIXED, name) && place.isSecret(name, value))) && tells(each)
          ? '<any>'
          : this.write(each, place, `${path}.${name}`, name),
      ]),
    );
  }

  private text(value: string, step: number, path: string): string {
    if (/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(value)) return this.numbered('digest', value, step, path);
    let text = value
      .replace(/\bctime=\d+/g, 'ctime=<time>')
      .replace(/\bcreation-qemu=[0-9][\w.~+-]*/g, 'creation-qemu=<version>');
    for (const [kind, pattern] of KINDS) {
      text = text.replace(pattern, found => {
        if (this.sent.includes(found.toLowerCase())) return found;
        return this.numbered(kind, found, step, found === value ? path : '');
      });
    }
    return text;
  }

  private numbered(kind: string, value: string, step: number, path: string): string {
    const ofKind = this.numbers.get(kind) ?? new Map<string, number>();
    this.numbers.set(kind, ofKind);
    const number = ofKind.get(value) ?? ofKind.size + 1;
    ofKind.set(value, number);
    // the grammar of FORMAT.md for a place in an answer
    if (/^\$(\.[A-Za-z0-9_-]+|\[\d+\])+$/.test(path) && !this.origins.has(value))
      this.origins.set(value, { step, path });
    return `<${kind}:${number}>`;
  }
}

/** Whether a hidden field holds more than Proxmox's own stars, a figure or a flag. */
function tells(value: unknown): boolean {
  return typeof value === 'string' ? !/^\*+$/.test(value) : typeof value === 'object' && value !== null;
}
