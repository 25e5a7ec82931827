import type { Action, CreateParams } from '../../../reconciler/action';
import type { ObservedGuest, ObservedMachine } from '../../../reconciler/observed';
import { readDescription } from '../../../reconciler/mark/description';

type Config = Record<string, string>;

/** One guest as Proxmox keeps it: just enough of configuration, volumes and power to see a plan converge. */
export class GuestModel {
  private current: Config | undefined;
  private pending: Record<string, string | null> = {};
  private power: 'running' | 'stopped' = 'stopped';
  private pool: string | undefined;
  private node = 'pve1';
  private counter = 0;
  /** Actions that were carried out, in order. */
  readonly done: Action[] = [];

  constructor(
    private readonly vmid: number,
    private readonly source?: Config,
  ) {}

  /** Puts a guest there that somebody else made. */
  put(config: Config, power: 'running' | 'stopped' = 'running'): void {
    this.current = { ...config };
    this.power = power;
  }

  observe(): ObservedMachine {
    if (!this.current) return { kind: 'absent' };
    const { description = '', ...rest } = this.current;
    const { text, mark, isDamaged } = readDescription(description);
    if (isDamaged) throw new Error('the mark is damaged');
    const guest: ObservedGuest = {
      vmid: this.vmid,
      node: this.node,
      digest: 'd',
      current: { ...rest, ...(description === '' ? {} : { description }) },
      pending: { ...this.pending },
      power: this.power,
      lock: undefined,
      pool: this.pool,
      haManaged: false,
      template: false,
      description: text,
      mark,
    };
    return mark
      ? { kind: 'present', guest, unfinished: mark.isUnfinished === true }
      : { kind: 'adoptable', guest };
  }

  carryOut(action: Action): void {
    this.done.push(action);
    switch (action.kind) {
      case 'create':
        return this.create(action.params);
      case 'clone':
        return this.clone(action.params);
      case 'configure':
        return this.configure(action.set, action.delete);
      case 'resize':
        return this.rewrite(action.slot, text =>
          text.replace(/size=[^,]+/, `size=${sizeText(action.bytes)}`),
        );
      case 'move-disk':
        return this.rewrite(action.slot, text => `${action.storage}:${text.slice(text.indexOf(':') + 1)}`);
      case 'set-pool':
        this.pool = action.pool;
        return;
      case 'migrate':
        this.node = action.to;
        return;
      case 'regenerate-cloud-init':
      case 'fetch-image':
      case 'join-ha':
      case 'change-ha':
      case 'leave-ha':
      case 'make-template':
      case 'upload-iso':
      case 'remove-iso':
      case 'take-snapshot':
      case 'describe-snapshot':
      case 'delete-snapshot':
      case 'roll-back':
        return;
      case 'restart':
        return this.applyPending();
      case 'power':
        this.power = action.to;
        return this.applyPending();
      case 'destroy':
        this.current = undefined;
        this.power = 'stopped';
        this.pending = {};
        return;
    }
  }

  private create({ vmid: _, pool, ...params }: CreateParams): void {
    this.pool = pool === undefined ? undefined : String(pool);
    this.current = {};
    for (const [key, value] of Object.entries(params)) this.current[key] = this.stored(key, String(value));
    this.current.boot ??= 'order=scsi0;net0';
    if (/^win/.test(this.current.ostype ?? '')) this.current.machine = pinned(this.current.machine);
  }

  private clone({ name, description, pool, storage }: CreateParams): void {
    this.pool = pool === undefined ? undefined : String(pool);
    this.current = {};
    for (const [key, text] of Object.entries(this.source ?? {})) {
      if (key === 'template') continue;
      this.current[key] = text.replace(/BC:24:11:00/i, 'BC:24:11:7E').replace(/9000/g, String(this.vmid));
      if (storage !== undefined && /^scsi\d+$/.test(key))
        this.current[key] = text.replace(/^[^:]+/, String(storage));
    }
    this.current.name = String(name);
    this.current.description = String(description);
    this.current.smbios1 = (this.current.smbios1 ?? '').replace(/uuid=[^,]*/, 'uuid=a-new-one');
  }

  private configure(set: Config, gone: string[]): void {
    const { current } = this;
    if (!current) throw new Error('there is no guest');
    const held = gone.find(key => isVolume(current[key]));
    if (current.protection === '1' && held) throw new Error(`can't remove drive '${held}' - protection mode`);
    for (const key of gone) this.write(key, null);
    for (const [key, text] of Object.entries(set)) {
      if (key === 'boot') this.mustExist(text, set);
      this.write(key, this.stored(key, text));
    }
  }

  private mustExist(boot: string, set: Config): void {
    for (const device of boot.replace('order=', '').split(';')) {
      const there = { ...this.current, ...this.pending, ...set };
      if (there[device] === undefined || there[device] === null)
        throw new Error(`invalid bootorder: ${device}`);
    }
  }

  private write(key: string, text: string | null): void {
    const current = this.current ?? {};
    const old = current[key];
    delete this.pending[key];
    if (old === text || (old === undefined && text === null)) return;
    if (this.power === 'running' && (!appliesLive(key, old, text) || this.boots(key, text))) {
      this.pending[key] = text;
      return;
    }
    if (text === null) delete current[key];
    else current[key] = text;
    if (text === null && isVolume(old) && !/^unused/.test(key))
      current[`unused${this.counter++}`] = fileOf(old ?? '');
    if (text === null && current.boot !== undefined) current.boot = withoutDevice(current.boot, key);
  }

  /** PVE: "can't unplug bootdisk". */
  private boots(key: string, text: string | null): boolean {
    return text === null && (this.current?.boot ?? '').split(/[=;]/).includes(key);
  }

  private applyPending(): void {
    const waiting = this.pending;
    const power = this.power;
    this.power = 'stopped';
    this.pending = {};
    for (const [key, text] of Object.entries(waiting)) this.write(key, text);
    this.power = power;
  }

  private rewrite(slot: string, change: (text: string) => string): void {
    const text = this.current?.[slot];
    if (this.current && text !== undefined) this.current[slot] = change(text);
  }

  /** A value as Proxmox prints it back. */
  private stored(key: string, text: string): string {
    if (key === 'tags') return [...new Set(text.toLowerCase().split(/[;, ]+/))].sort().join(';');
    if (/^(?:scsi|virtio|sata|ide)\d+$|^(?:efidisk0|tpmstate0)$/.test(key)) return this.drive(key, text);
    if (!/^net\d+$/.test(key)) return text;
    const bare = /^(virtio|e1000e?|rtl8139|vmxnet3)(,|$)/;
    const mac = `BC:24:11:AA:00:${String(10 + this.counter++)}`;
    return bare.test(text)
      ? text.replace(bare, (_, model: string, rest: string) => `${model}=${mac}${rest}`)
      : text;
  }

  private drive(key: string, text: string): string {
    const [file = '', ...rest] = text.split(',');
    const [storage = '', volume = ''] = file.split(':');
    const options = rest.filter(part => !part.startsWith('format='));
    const format = /format=(\w+)/.exec(text)?.[1];
    if (volume === 'cloudinit')
      return [`${storage}:vm-${this.vmid}-cloudinit`, ...options, 'size=4M'].join(',');
    if (!/^[\d.]+$/.test(volume)) return isVolume(text) && !/size=/.test(text) ? `${text},size=1G` : text;
    if (this.current?.[key] !== undefined) throw new Error(`${key} has a disk: this would make a second one`);
    const name = `${storage}:vm-${this.vmid}-disk-${this.counter++}${format === undefined ? '' : `.${format}`}`;
    return [name, ...options, `size=${sizeText(Number(volume) * 2 ** 30)}`].join(',');
  }
}

const isVolume = (text: string | undefined): boolean =>
  /^[a-z][\w-]*:(?!iso)/.test(text ?? '') && !/cloudinit/.test(text ?? '');
const fileOf = (text: string): string => text.split(',')[0] ?? '';
const sizeText = (bytes: number): string =>
  bytes % 2 ** 30 === 0 ? `${bytes / 2 ** 30}G` : `${bytes / 2 ** 20}M`;
const pinned = (machine = 'pc'): string =>
  machine.replace(/^q35(?=,|$)/, 'pc-q35-10.1').replace(/^pc(?=,|$)/, 'pc-i440fx-10.1');

function withoutDevice(boot: string, key: string): string {
  const left = boot
    .replace('order=', '')
    .split(';')
    .filter(device => device !== key);
  return left.length === 0 ? ' ' : `order=${left.join(';')}`;
}

const FAST =
  /^(?:ci\w+|sshkeys|nameserver|searchdomain|ipconfig\d+|description|hookscript|name|onboot|protection|shares|startup|tags|vmstatestorage|migrate_\w+|cpulimit|cpuunits|net\d+|unused\d+)$/;

/** Proxmox's rules of hotplug, said once more and shorter than the reconciler does. */
function appliesLive(key: string, old: string | undefined, text: string | null): boolean {
  if (FAST.test(key)) return true;
  if (key === 'balloon') return (old === '0') === (text === '0');
  if (!/^(?:scsi|virtio|ide|sata)\d+$/.test(key)) return false;
  if (old === undefined || text === null) return /^(?:scsi|virtio)/.test(key);
  const slow = (drive: string): string =>
    drive
      .split(',')
      .filter(part => SLOW.test(part))
      .sort()
      .join();
  return slow(old) === slow(text);
}
const SLOW = /^(?:aio|discard|iothread|queues|product|cache|ssd|vendor|ro|detect_zeroes)=/;
