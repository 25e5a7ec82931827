import { configTextOf } from '../shape';
import { CPU, DRIVE, HOST_PCI, HOST_USB, IP_CONFIG, NET, SHARED_FOLDER, smbios } from './devices';
import type { Disguise } from './disguise';
import type { Rule } from './parts';
import { device, each, name, only, parts, volume, WORD } from './parts';

const LEAVE_OUT: Rule = () => undefined;

const list =
  (glue: string, rule: (disguise: Disguise, value: string) => string): Rule =>
  (disguise, value) =>
    value
      .split(/[\s,;]+/)
      .filter(part => part !== '')
      .map(part => rule(disguise, part))
      .join(glue);

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

/** Keys with one value that Proxmox lists or counts. */
const WORDS =
  'acpi allow-ksm arch autostart balloon bios bootdisk citype ciupgrade cmode console cores cpulimit cpuunits debug freeze ' +
  'hugepages keephugepages keyboard kvm localtime lock migrate_downtime migrate_speed numa onboot ostype protection reboot ' +
  'runningmachine scsihw shares smp snapstate sockets startdate swap tablet tdf template tty unprivileged vcpus';

/** Keys of more than one part, and the parts whose values Proxmox lists or counts; `''` is one without a name. */
const PARTS: Record<string, string> = {
  agent: ' enabled freeze-fs freeze-fs-on-backup fstrim_cloned_disks guest-fsfreeze type',
  'amd-sev': ' allow-smt kernel-hashes no-debug no-key-sharing type',
  audio0: 'device driver',
  boot: ' legacy order',
  features: 'force_rw_sys fuse keyctl mknod mount nesting',
  hotplug: ' ',
  'intel-tdx': ' attestation type vsock-cid vsock-port',
  machine: ' aw-bits enable-s3 enable-s4 type viommu',
  memory: ' current',
  meta: 'creation-qemu ctime',
  runningcpu: ' ',
  spice_enhancements: 'foldersharing videostreaming',
  startup: ' order up down',
  vga: ' clipboard memory type',
  watchdog: ' action model',
};

/** What becomes of each key, first match wins. What has no rule is left out. */
const RULES: [RegExp, Rule][] = [
  [new RegExp(`^(${WORDS.replaceAll(' ', '|')})$`), WORD],
  ...Object.entries(PARTS).map(([key, names]): [RegExp, Rule] => [
    new RegExp(`^${key}$`),
    parts(each(names, WORD)),
  ]),
  [/^affinity$/, only(/^[\d,-]*$/)],
  [/^numa\d+$/, parts(each('cpus hostnodes memory policy', WORD))],
  [/^rng0$/, parts({ ...each('max_bytes period', WORD), source: only(/^\/dev\/(u?random|hwrng)$/) })],
  [/^running-nets-host-mtu$/, only(/^(net\d+=\d+,?)*$/)],
  // any other tells where the cluster stands
  [/^timezone$/, only(/^(host|UTC)$/)],
  [/^cpu$/, CPU],
  [/^(ide|sata|scsi|virtio|efidisk|tpmstate|unused|mp)\d+$|^rootfs$/, DRIVE],
  [/^net\d+$/, NET],
  [/^ipconfig\d+$/, IP_CONFIG],
  [/^(name|hostname)$/, name('guest')],
  [/^description$/, (disguise, value) => disguise.description(value)],
  [/^tags$/, list(';', (disguise, tag) => disguise.name('tag', tag))],
  [/^(nameserver|searchdomain)$/, list(' ', (disguise, part) => disguise.address(part))],
  [/^sshkeys$/, sshKeys],
  [/^ciuser$/, (disguise, value) => disguise.user('user', value)],
  [/^cipassword$/, (disguise, value) => disguise.secret(value)],
  [/^cicustom$/, parts(each('user network meta vendor', volume))],
  [/^smbios1$/, smbios],
  [/^vmgenid$/, (disguise, value) => disguise.uuid(value)],
  [/^parent$/, name('snapshot')],
  [/^(hookscript|vmstate)$/, volume],
  [/^vmstatestorage$/, name('storage')],
  [/^hostpci\d+$/, HOST_PCI],
  [/^usb\d+$/, HOST_USB],
  [/^virtiofs\d+$/, SHARED_FOLDER],
  [/^(serial|parallel)\d+$/, device],
  // free text, or the world of another program
  [/^(args|ivshmem|entrypoint|env|lxc)$/, LEAVE_OUT],
];

/** A guest's configuration with other words in it; calls `leftOut` with each key, or part of one, that is not in it. */
export function disguisedConfig(
  disguise: Disguise,
  values: Record<string, unknown>,
  leftOut: (what: string) => void,
): Record<string, string> {
  const config: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) {
    if (key === 'digest') continue;
    const text = configTextOf(value);
    const rule = RULES.find(([pattern]) => pattern.test(key))?.[1];
    const gone: string[] = [];
    const other = text === undefined ? undefined : rule?.(disguise, text, part => gone.push(part));
    if (other === undefined) leftOut(key);
    else {
      config[key] = other;
      for (const part of gone) leftOut(part === '' ? `a part of ${key}` : `${part} of ${key}`);
    }
  }
  return config;
}
