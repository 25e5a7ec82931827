import type { Config } from '../../world';
import { drivesOf } from '../drives/drive';
import { isNetKey, parseNet } from '../keys/net';

/** What Proxmox warns of when it starts a guest: the task ends with WARNINGS. PVE: QemuServer.pm, config_to_command. */
export function startWarnings(config: Config): string[] {
  return [...efi(config), ...threads(config), ...mtus(config)];
}

function efi({ bios, efidisk0 }: Config): string[] {
  return bios === 'ovmf' && efidisk0 === undefined
    ? ['no efidisk configured! Using temporary efivars disk.']
    : [];
}

/** Seen on a real cluster: transcripts/real-pve-9.2.jsonl, vm 534. */
function threads(config: Config): string[] {
  if (config['scsihw'] === 'virtio-scsi-single') return [];
  const drives = drivesOf(config).filter(
    ({ key, options }) => key.startsWith('scsi') && options['iothread'] === '1',
  );
  return drives.map(
    () => 'iothread is only valid with virtio disk or virtio-scsi-single controller, ignoring',
  );
}

function mtus(config: Config): string[] {
  return Object.keys(config)
    .filter(isNetKey)
    .flatMap(key => {
      const { model, mtu, bridge } = parseNet(config[key] ?? '');
      if (mtu === undefined || model === 'virtio') return [];
      const why = bridge === undefined ? 'no bridge configured' : 'not using VirtIO';
      return [`netdev ${key}: ignoring MTU '${mtu}', ${why}`];
    });
}
