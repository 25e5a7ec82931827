import * as z from 'zod';
import type { Pve } from '../http/client';
import { count, listingOf, text } from '../answers/wire-values';

const BackupJob = z.object({ id: text, vmid: text.optional(), exclude: text.optional() });
const ReplicationJob = z.object({ id: text, guest: count, target: text });

/** A job that backs guests up. `vmid`, `exclude`: lists of numbers, as they stand there. */
export type BackupJob = z.infer<typeof BackupJob>;
/** A job that copies the disks of a guest to another node. */
export type ReplicationJob = z.infer<typeof ReplicationJob>;

/** All jobs that back guests up, also those that are off. Needs Sys.Audit on /. */
export function listBackupJobs(pve: Pve): Promise<BackupJob[]> {
  return pve.call({ method: 'GET', path: '/cluster/backup', answer: listingOf(BackupJob) });
}

/** The replication jobs of all guests that the caller sees (VM.Audit). */
export function listReplicationJobs(pve: Pve): Promise<ReplicationJob[]> {
  return pve.call({ method: 'GET', path: '/cluster/replication', answer: listingOf(ReplicationJob) });
}
