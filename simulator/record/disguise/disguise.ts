import { createHash, createHmac } from 'node:crypto';
import { disguisedIp } from './address';

/** What is replaced unless somebody keeps it. Secrets are no part of this list: nobody can keep them. */
export const KINDS = ['names', 'addresses', 'macs', 'descriptions', 'users', 'ids', 'keys'] as const;
export type Kind = (typeof KINDS)[number];

/** What a replaced secret shows. Proxmox itself shows a password so. */
const SECRET = '**********';

/**
 * Other words in the place of a cluster's own. The same seed and the same value give the same word, in every place and in
 * every recording; without the seed nobody can tell which value it was, not even by trying.
 */
export class Disguise {
  /** How many values were replaced, by kind; `secrets` too. */
  readonly replaced = new Map<string, Set<string>>();
  private readonly words = new Map<string, string>();
  private readonly taken = new Set<string>();
  private readonly key: Buffer;

  constructor(
    seed: string,
    private readonly kept: ReadonlySet<Kind>,
  ) {
    this.key = createHash('sha256').update(`pve-simulator record\0${seed}`).digest();
  }

  keeps(kind: Kind): boolean {
    return this.kept.has(kind);
  }

  /** A name: `what` says of what, and begins the new one. What every cluster calls so stays. */
  name(what: string, value: string): string {
    if (this.kept.has('names') || isUsual(what, value)) return value;
    return this.word(
      'names',
      what,
      value,
      attempt => `${what}-${this.digits(`${what}:${value}`, attempt, 6)}`,
    );
  }

  /** An IPv4 or IPv6 address with or without its prefix, or the name of a host; words such as `dhcp` stay. */
  address(value: string): string {
    if (value === '' || this.kept.has('addresses') || /^(dhcp|auto|manual|none|1|0|host)$/.test(value))
      return value;
    const [address = '', prefix] = value.split('/');
    const ip = disguisedIp(address, text => this.hash(`ip:${text}`));
    const other =
      ip ??
      this.word(
        'addresses',
        'host',
        value,
        attempt => `host-${this.digits(`host:${value}`, attempt, 6)}.example`,
      );
    if (ip !== undefined) this.count('addresses', address);
    return ip !== undefined && prefix !== undefined && /^\d{1,3}$/.test(prefix)
      ? `${other}/${prefix}`
      : other;
  }

  /** A MAC address. The beginning that Proxmox gives to its own stays, any other becomes a local one. */
  mac(value: string): string {
    if (this.kept.has('macs')) return value;
    const upper = value.toUpperCase();
    const start = upper.startsWith('BC:24:11:') ? 'BC:24:11' : '02:00:5E';
    return this.word('macs', 'mac', upper, attempt => {
      const tail = this.digits(`mac:${upper}`, attempt, 6).toUpperCase().match(/../g) ?? [];
      return [start, ...tail].join(':');
    });
  }

  /** A text that a person wrote. */
  description(value: string): string {
    if (value === '' || this.kept.has('descriptions')) return value;
    return this.word(
      'descriptions',
      'text',
      value,
      attempt => `text ${this.digits(`text:${value}`, attempt, 6)}`,
    );
  }

  /** A person's, a group's or a token's name; `what` as for names. */
  user(what: string, value: string): string {
    if (value === '' || this.kept.has('users') || value === 'root') return value;
    return this.word(
      'users',
      what,
      value,
      attempt => `${what}-${this.digits(`${what}:${value}`, attempt, 6)}`,
    );
  }

  uuid(value: string): string {
    if (this.kept.has('ids')) return value;
    const text = `uuid:${value.toLowerCase()}`;
    return this.word('ids', 'uuid', value.toLowerCase(), attempt => asUuid(this.digits(text, attempt, 32)));
  }

  /** The secret of a token in the file. Proxmox does not tell the real one. */
  tokenValue(id: string): string {
    return asUuid(this.digits(`token:${id}`, 0, 32));
  }

  /** A serial number, or another sign by which a device is known. */
  sign(value: string): string {
    if (value === '' || this.kept.has('ids')) return value;
    return this.word('ids', 'id', value, attempt => `id${this.digits(`id:${value}`, attempt, 8)}`);
  }

  /** One public key of SSH, without the name behind it. */
  publicKey(value: string): string {
    if (this.kept.has('keys')) return value;
    return this.word('keys', 'key', value, () => {
      const type = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0 ', 'latin1');
      return `ssh-ed25519 ${Buffer.concat([type, this.hash(`key:${value}`)]).toString('base64')} replaced`;
    });
  }

  /** Remembers that a secret stood there. Nothing of it goes on. */
  secret(value = ''): string {
    if (value !== '') this.count('secrets', value);
    return SECRET;
  }

  private word(kind: Kind, group: string, value: string, make: (attempt: number) => string): string {
    this.count(kind, `${group}:${value}`);
    const known = this.words.get(`${group}:${value}`);
    if (known !== undefined) return known;
    let attempt = 0;
    let word = make(attempt);
    while (this.taken.has(`${group}:${word}`) && attempt < 50) word = make((attempt += 1));
    this.taken.add(`${group}:${word}`);
    this.words.set(`${group}:${value}`, word);
    return word;
  }

  private count(kind: string, value: string): void {
    const seen = this.replaced.get(kind) ?? new Set();
    this.replaced.set(kind, seen.add(value));
  }

  private digits(text: string, attempt: number, length: number): string {
    return this.hash(attempt === 0 ? text : `${attempt}:${text}`)
      .toString('hex')
      .slice(0, length);
  }

  private hash(text: string): Buffer {
    return createHmac('sha256', this.key).update(text).digest();
  }
}

const USUAL: Record<string, RegExp> = {
  storage: /^(local|local-lvm|local-zfs)$/,
  bridge: /^vmbr\d{1,4}$/,
  zone: /^localnetwork$/,
  realm: /^(pam|pve)$/,
  snapshot: /^current$/,
  // not `enx…`, which holds a MAC address
  card: /^(eth\d{1,3}|eno\d{1,3}|ens\d{1,3}|enp\d{1,3}s\d{1,3}|Ethernet( \d{1,2})?)$/,
};

function isUsual(what: string, value: string): boolean {
  return value === '' || USUAL[what]?.test(value) === true;
}

function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
