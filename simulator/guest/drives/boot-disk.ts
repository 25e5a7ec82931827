import { isCdrom, isDriveKey, parseDrive } from './drive';
import { parseSize } from './size';
import type { Config } from '../../world';

/** The size in bytes of the first boot disk, as lists show it; 0 when there is none. */
export function bootDiskSize(config: Config): number {
  // the one of a container
  const root = /(?:^|,)size=([^,]+)/.exec(config['rootfs'] ?? '')?.[1];
  if (root !== undefined) return parseSize(root) ?? 0;
  for (const key of bootOrder(config)) {
    const text = config[key];
    if (text === undefined || !isDriveKey(key)) continue;
    const drive = parseDrive(key, text);
    if (isCdrom(drive) || drive.file === '') continue;
    return parseSize(drive.options['size'] ?? '') ?? 0;
  }
  return 0;
}

function bootOrder(config: Config): string[] {
  const order = /(?:^|,)order=([^,]*)/.exec(config['boot'] ?? '')?.[1];
  if (order !== undefined) return order.split(';');
  // the old form of `boot` names letters; the disk then stands in `bootdisk`
  return config['bootdisk'] === undefined ? [] : [config['bootdisk']];
}
