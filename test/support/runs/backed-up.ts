import { administratorOf } from '../cluster/administrator';
import type { Lab } from '../cluster/lab';

/** Somebody who backs up VM 10000 of a lab, on pve1 and off, and restores that backup over it. */
export function backupsOf(cluster: Pick<Lab, 'world' | 'simulator'>) {
  const somebody = async (path: string, form: Record<string, string> = {}): Promise<void> =>
    expect(await administratorOf(cluster)('POST', `/nodes/pve1${path}`, form)).toBe(true);
  return {
    backUp: () => somebody('/vzdump', { vmid: '10000', storage: 'local' }),
    restore: () => {
      const { volid: archive } = cluster.world.volumes.find(each => each.volid.includes('vzdump-qemu'))!;
      return somebody('/qemu', { vmid: '10000', archive, force: '1' });
    },
  };
}
