/** The kinds of a guest's keys by the privilege that writes them (PVE: check_vm_modify_config_perm, 8.4 and 9.2 alike). */
const KEYS: readonly (readonly [keys: string, privileges: readonly string[]])[] = [
  ['cores cpu cpulimit cpuunits numa numaN smp sockets vcpus', ['VM.Config.CPU']],
  ['memory balloon shares allow-ksm', ['VM.Config.Memory']],
  ['acpi hotplug kvm machine scsihw smbios1 tablet vga watchdog audio0 rng0', ['VM.Config.HWType']],
  [
    'agent autostart bios description keyboard localtime migrate_downtime migrate_speed name onboot ostype ' +
      'protection reboot startdate startup tags tdf template',
    ['VM.Config.Options'],
  ],
  ['freeze', ['VM.PowerMgmt']],
  ['boot bootdisk vmstatestorage', ['VM.Config.Disk']],
  ['netN', ['VM.Config.Network']],
  [
    'cicustom cipassword citype ciuser ciupgrade nameserver searchdomain sshkeys ipconfigN',
    ['VM.Config.Cloudinit', 'VM.Config.Network'],
  ],
];

const BY_KEY = new Map(KEYS.flatMap(([keys, privileges]) => keys.split(' ').map(key => [key, privileges])));

/** The privileges of which one writes a key; undefined: only root@pam writes it. Not for drives and devices of the host. */
export function keyPrivileges(key: string): readonly string[] | undefined {
  return BY_KEY.get(key) ?? BY_KEY.get(key.replace(/\d+$/, 'N'));
}
