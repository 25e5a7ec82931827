import { nextConfiguration } from '../../guest/configuration';
import type { ObservedGuest } from '../../observed';
import { isOwnerTag } from '../../mark/owner-tag';
import { bootOrderOf, cloudInitOf, deviceListsOf } from './devices';
import { cdromOf, disksOf, machineOptionsOf } from './disks';
import { hardwareOf } from './hardware';
import { networksOf } from './networks';
import { present, type Json } from './said';

/** What people call a guest, and what it is called in Proxmox. */
export interface Called {
  id: string;
  /** Absent: it has none, or the id says it, or another machine of the program has it too. */
  name?: string;
}

/** A guest in the words of the spec, as it will be after its next start. Nothing is checked yet. */
export function draftOf(guest: ObservedGuest, { id, name }: Called): Json {
  const config = nextConfiguration(guest.current, guest.pending);
  const [disks, networks] = [disksOf(config), networksOf(config)];
  const devices = Object.entries({ ...disks, ...networks });
  const names = Object.fromEntries(devices.map(([slot, device]) => [slot, String(device['name'])]));
  const tags = (config.tags ?? '').split(/[;, ]+/).filter(tag => tag !== '' && !isOwnerTag(tag));
  const list = (devicesOf: Record<string, Json>) =>
    Object.keys(devicesOf).length === 0 ? undefined : Object.values(devicesOf);
  return {
    id,
    ...present({ name }),
    vmid: guest.vmid,
    adopt: true,
    ...present({
      description: guest.description.trimEnd() === '' ? undefined : guest.description,
      tags: tags.length === 0 ? undefined : tags,
      pool: guest.pool,
      power: POWER[guest.power],
    }),
    ...hardwareOf(config),
    ...present({ disks: list(disks), networks: list(networks) }),
    ...cdromOf(config),
    ...bootOrderOf(config, names),
    ...deviceListsOf(config),
    ...cloudInitOf(config),
    ...machineOptionsOf(config),
  };
}

/** A guest that runs needs no word: that is what machines do. */
const POWER = { running: undefined, stopped: 'stopped', unknown: 'unmanaged' } as const;
