import type { Config } from '../../world';
import { splitShellWords } from './shell-words';

// QEMU's options that take an argument, and those that take none (`qemu-system-x86_64 -help`, QEMU 10).
const WITH_ARGUMENT = new Set(
  (
    'accel action add-fd append audio audiodev bios blockdev boot cdrom chardev compat cpu d D device dfilter ' +
    'display dtb drive echr fda fdb fsdev fw_cfg g gdb global hda hdb hdc hdd icount incoming initrd iscsi k kernel ' +
    'L loadvm m M machine mem-path mon monitor msg mtdblock name net netdev nic numa object option-rom parallel ' +
    'pflash pidfile plugin prom-env qmp qmp-pretty qtest qtest-log rotate rtc run-with sandbox sd seed semihosting-config ' +
    'serial set shim smbios smp spice tb-size tpmdev trace usbdevice uuid vga virtfs vnc acpitable async-teardown readconfig chroot runas'
  ).split(' '),
);
const ALONE = new Set(
  (
    'daemonize enable-fips enable-kvm full-screen h help mem-prealloc no-fd-bootchk no-reboot no-shutdown no-user-config ' +
    'nodefaults nographic old-param only-migratable overcommit preconfig S s semihosting singlestep snapshot usb ' +
    'version win2k-hack xen-attach xen-domid-restrict'
  ).split(' '),
);

/** Whether QEMU ends at once with this configuration's command line. */
export function isRefusedByQemu(config: Config): boolean {
  return hasTooManyProcessors(config) || hasBadArguments(config['args'] ?? '');
}

/** Recording g4, step 24: more processors at the start than there can ever be. */
function hasTooManyProcessors({ sockets = '1', cores = '1', vcpus }: Config): boolean {
  return vcpus !== undefined && Number(vcpus) > Number(sockets) * Number(cores);
}

/** An option that QEMU does not know, an argument that is missing, or a file in the place of an option. Values are not judged. */
function hasBadArguments(args: string): boolean {
  const words = splitShellWords(args);
  for (let index = 0; index < words.length; index += 1) {
    const option = /^--?(.+)$/.exec(words[index] ?? '')?.[1] ?? '';
    if (ALONE.has(option)) continue;
    if (!WITH_ARGUMENT.has(option)) return true;
    index += 1;
    if (index >= words.length) return true;
  }
  return false;
}
