import { propertiesOf } from './configuration';

/**
 * The SMBIOS uuid of a configuration, in lower case; undefined when there is none. It tells a guest from one that has its
 * number later: Proxmox gives each new guest one (qemu-server, API2/Qemu.pm).
 */
export function uuidOf(current: Readonly<Record<string, string>>): string | undefined {
  const { uuid } = propertiesOf('smbios1', current['smbios1']);
  return uuid === undefined ? undefined : String(uuid).toLowerCase();
}
