import * as z from 'zod';
import { strictObject } from '../fields/strict-object';

/** A volume that goes with its guest, or by a change of it. */
const LostVolume = strictObject(() => ({
  slot: z.string().meta({ description: 'The line of the configuration that names it: scsi0, unused0.' }),
  volume: z.string().meta({ description: 'As Proxmox names it.' }),
  kind: z.enum(['disk', 'efi', 'tpm', 'cloud-init', 'state', 'unused']),
  disk: z.string().optional().meta({ description: 'The name that the spec gives the disk.' }),
  bytes: z.number().optional().meta({ description: 'How large it is; absent where that is not told.' }),
  kept: z.literal(true).optional().meta({ description: 'No guest uses it, and nobody asked for its end.' }),
}));
export type LostVolume = z.infer<typeof LostVolume>;

const LostSnapshot = strictObject(() => ({
  name: z.string(),
  memory: z.literal(true).optional().meta({ description: 'It holds the memory of the guest.' }),
}));
export type LostSnapshot = z.infer<typeof LostSnapshot>;

/** What is lost for good: volumes, snapshots, entries elsewhere, and what disks hold, whoever made them. */
export const Losses = strictObject(() => ({
  volumes: z.array(LostVolume),
  snapshots: z.array(LostSnapshot),
  entries: z.array(z.string()).optional().meta({
    description:
      'What else names the guest, and does not name the new one: its pool, HA, jobs, firewall, rights. Absent: nothing.',
  }),
  data: z.array(z.string()).optional().meta({
    description:
      'What may be written over inside the guest, in words: cloud-init formats disks anew. Absent: nothing.',
  }),
}));
export type Losses = z.infer<typeof Losses>;

/** What becomes of one snapshot of a machine. */
export const SnapshotStep = strictObject(() => ({
  does: z.enum(['delete', 'revert', 'take']).meta({ description: 'revert: the machine goes back to it.' }),
  name: z.string(),
  memory: z.literal(true).optional().meta({ description: 'It holds the memory of the guest.' }),
}));
export type SnapshotStep = z.infer<typeof SnapshotStep>;
