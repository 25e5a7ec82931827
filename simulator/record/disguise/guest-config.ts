import { configTextOf } from '../shape';
import type { Disguise } from './disguise';
import { disguisedVolid } from './volume-id';

/** One value with other words in it; undefined: it is left out. */
type Rule = (disguise: Disguise, value: string) => string | undefined;

const KEEP: Rule = (_, value) => value;
const LEAVE_OUT: Rule = () => undefined;

/** The parts of a property string, each by its own rule; a part without a name is called `''`. */
function parts(rules: Record<string, Rule>): Rule {
  return (disguise, value) => {
    const made = value.split(',').map(part => {
      const at = part.indexOf('=');
      const name = at < 0 ? '' : part.slice(0, at);
      const rule = Object.hasOwn(rules, name) ? rules[name] : KEEP;
      const other = rule?.(disguise, at < 0 ? part : part.slice(at + 1));
      return other === undefined ? undefined : at < 0 ? other : `${name}=${other}`;
    });
    return made.includes(undefined) && at0(made)
      ? undefined
      : made.filter(part => part !== undefined).join(',');
  };
}

/** Whether the first part is gone: what is left would say nothing. */
const at0 = (made: (string | undefined)[]): boolean => made[0] === undefined;

const list =
  (separator: RegExp, glue: string, rule: (disguise: Disguise, value: string) => string): Rule =>
  (disguise, value) =>
    value
      .split(separator)
      .filter(part => part !== '')
      .map(part => rule(disguise, part))
      .join(glue);

const name =
  (what: string): Rule =>
  (disguise, value) =>
    disguise.name(what, value);
const address: Rule = (disguise, value) => disguise.address(value);
const mac: Rule = (disguise, value) =>
  /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value) ? disguise.mac(value) : value;
const sign: Rule = (disguise, value) => disguise.sign(value);
const volume: Rule = (disguise, value) => disguisedVolid(disguise, value) ?? deviceOf(disguise, value);

function deviceOf(disguise: Disguise, value: string): string {
  return value.startsWith('/') ? `/dev/${disguise.name('device', value)}` : value;
}

const DRIVE = parts({
  '': volume,
  file: volume,
  volume,
  serial: sign,
  wwn: sign,
  vendor: sign,
  product: sign,
  mp: name('path'),
});
const MODELS =
  'virtio e1000 e1000e e1000-82540em e1000-82544gc e1000-82545em i82551 i82557b i82559er ne2k_isa ne2k_pci pcnet rtl8139 vmxnet3';
const NET = parts({
  ...Object.fromEntries(MODELS.split(' ').map(model => [model, mac])),
  ...{
    macaddr: mac,
    hwaddr: mac,
    bridge: name('bridge'),
    ip: address,
    ip6: address,
    gw: address,
    gw6: address,
  },
});
const ADDRESSES = parts({ ip: address, ip6: address, gw: address, gw6: address });

const smbios: Rule = (disguise, value) => {
  const isBase64 = /(^|,)base64=(1|on|yes|true)/.test(value);
  const text: Rule = (_, part) => {
    const other = disguise.sign(part);
    return isBase64 && other !== part ? Buffer.from(other).toString('base64') : other;
  };
  const uuid: Rule = (_, part) => disguise.uuid(part);
  return parts({
    uuid,
    manufacturer: text,
    product: text,
    version: text,
    serial: text,
    sku: text,
    family: text,
  })(disguise, value);
};

const sshKeys: Rule = (disguise, value) => {
  let text: string;
  try {
    text = decodeURIComponent(value);
  } catch {
    return undefined;
  }
  const keys = text.split('\n').filter(line => line.trim() !== '');
  return disguise.keeps('keys')
    ? value
    : encodeURIComponent(keys.map(line => disguise.publicKey(line.trim())).join('\n'));
};

const KEPT =
  'acpi affinity agent allow-ksm arch audio0 autostart balloon bios boot bootdisk citype ciupgrade cmode console cores cpu cpulimit ' +
  'cpuunits debug features freeze hotplug hugepages keephugepages keyboard kvm localtime lock machine memory meta migrate_downtime ' +
  'migrate_speed numa onboot ostype protection reboot rng0 running-nets-host-mtu runningcpu runningmachine scsihw shares smp ' +
  'snapstate sockets spice_enhancements startdate startup swap tablet tdf template timezone tty unprivileged vcpus vga watchdog ' +
  'amd-sev intel-tdx';

/** What becomes of each key, first match wins. What has no rule is left out. */
const RULES: [RegExp, Rule][] = [
  [new RegExp(`^(${KEPT.replaceAll(' ', '|')}|numa\\d+)$`), KEEP],
  [/^(ide|sata|scsi|virtio|efidisk|tpmstate|unused|mp)\d+$|^rootfs$/, DRIVE],
  [/^net\d+$/, NET],
  [/^ipconfig\d+$/, ADDRESSES],
  [/^(name|hostname)$/, name('guest')],
  [/^description$/, (disguise, value) => disguise.description(value)],
  [/^tags$/, list(/[\s,;]+/, ';', (disguise, tag) => disguise.name('tag', tag))],
  [/^(nameserver)$/, list(/[\s,;]+/, ' ', (disguise, part) => disguise.address(part))],
  [/^searchdomain$/, list(/[\s,;]+/, ' ', (disguise, part) => disguise.address(part))],
  [/^sshkeys$/, sshKeys],
  [/^ciuser$/, (disguise, value) => disguise.user('user', value)],
  [/^cipassword$/, (disguise, value) => disguise.secret(value)],
  [/^cicustom$/, parts({ user: volume, network: volume, meta: volume, vendor: volume })],
  [/^smbios1$/, smbios],
  [/^vmgenid$/, (disguise, value) => disguise.uuid(value)],
  [/^parent$/, name('snapshot')],
  [/^(hookscript|vmstate)$/, volume],
  [/^vmstatestorage$/, name('storage')],
  [/^(hostpci|usb)\d+$/, parts({ mapping: name('mapping') })],
  [/^virtiofs\d+$/, parts({ '': name('mapping'), dirid: name('mapping') })],
  [/^(serial|parallel)\d+$/, (disguise, value) => deviceOf(disguise, value)],
  // free text, or the world of another program
  [/^(args|ivshmem|entrypoint|env|lxc)$/, LEAVE_OUT],
];

/** A guest's configuration with other words in it; calls `leftOut` with each key that has no place there. */
export function disguisedConfig(
  disguise: Disguise,
  values: Record<string, unknown>,
  leftOut: (key: string) => void,
): Record<string, string> {
  const config: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) {
    if (key === 'digest') continue;
    const text = configTextOf(value);
    const rule = RULES.find(([pattern]) => pattern.test(key))?.[1];
    const other = text === undefined ? undefined : rule?.(disguise, text);
    if (other === undefined) leftOut(key);
    else config[key] = other;
  }
  return config;
}
