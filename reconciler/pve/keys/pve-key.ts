/** Everything that Proxmox says about one key of a guest's configuration: one row of the table in `keys.ts`. */
export interface PveKey {
  /** The highest number of a key that has one: `net0` to `net31`. */
  readonly last?: number;
  /** How its value reads; absent: as text, or as a property string where it has properties. */
  readonly kind?: ValueKind;
  /** What Proxmox does when the key is absent, and so what clearing it gives. Only what holds for every guest. */
  readonly default?: string;
  /** When a change reaches a guest that runs; absent: with its next start. */
  readonly live?: Live;
  /** Writing it may take long on a guest that runs: it is plugged or unplugged, or a volume is made or freed. */
  readonly slow?: true;
  /** Of these privileges on the guest one writes it; `by value`: it depends on what the key says. */
  readonly privilege: readonly string[] | 'root@pam' | 'by value';
  /** A privilege on the whole of the host that it takes besides. */
  readonly hostPrivilege?: string;
  /** How two values compare; absent: as they are written. */
  readonly same?: Sameness;
  /** Its line names a volume: a disk or CD-ROM on a bus, the state of firmware and TPM, or one that nobody uses. */
  readonly volume?: 'bus' | 'state' | 'unused';
  /** It stands in the cloud-init drive, so that a change needs a new drive. */
  readonly cloudInit?: true;
  /** It is never shown. */
  readonly secret?: true;
  /** A boot order may name it. */
  readonly boots?: true;
  /** It may be a device of one node, which Proxmox does not take to another. */
  readonly ofNode?: true;
  /** What its property string holds, where the kind, the default or the meaning of a property matters. */
  readonly properties?: Readonly<Record<string, PveProperty>>;
  /** The property of a part that has no `property=`. */
  readonly bare?: string;
  /** Other names of properties. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** What a string that says anything must say as well. */
  readonly required?: Readonly<Record<string, string>>;
  /** For network cards: `virtio=MAC` stands for two properties. */
  readonly pair?: { readonly names: readonly string[]; readonly name: string; readonly value: string };
}

/** One property inside a property string. */
export interface PveProperty {
  readonly kind?: ValueKind;
  readonly default?: string;
  readonly same?: Sameness;
  /** Whether a change of it is live, where its key's rule asks that of each property. */
  readonly live?: boolean;
}

export type ValueKind = 'boolean' | 'number' | 'mebibytes' | 'ssh keys';

/** `always`: for sure, nothing needs to be read after it. Others: as told in `machine/live-or-restart.ts`. */
type Live = 'always' | 'at once' | LiveWhen;

/** When a change is live, where that depends on the change or on the guest (PVE: hotplug of 9.2). */
export type LiveWhen =
  | 'network is plugged'
  | 'usb is plugged'
  | 'cpu is plugged'
  | 'its usb is plugged'
  | 'memory grows'
  | 'a hot drive allows'
  | 'a cold drive allows'
  | 'all that changes is live'
  | 'it stays on or off'
  | 'no plugging of cpu and memory';

export type Sameness =
  'address' | 'addresses' | 'any case' | 'set' | 'hotplug' | 'words' | 'ssh keys' | 'chipset';
