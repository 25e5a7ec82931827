import type { MachineOutputs } from '../../spec';
import type { Cause } from '../action';
import type { Stillness } from '../guest/stands-still';
import { MachineError, RefusedError } from '../errors';
import { isOutOfRoom } from '../pve';

type Condition = MachineOutputs['conditions'][number];

/** What the conditions of a machine are read from. */
export interface Standing {
  phase: MachineOutputs['phase'];
  /** Whether there is a guest, and it is whole. */
  isThere: boolean;
  addresses: readonly string[];
  /** Why no address is known; undefined when the agent told, or nobody was asked. */
  silent: string | undefined;
  /** How many network cards it has; undefined when its configuration was not read. */
  cards: number | undefined;
  /** What went wrong; undefined when nothing did. */
  error?: string | undefined;
  /** What that is about; undefined: something else than the conditions tell apart. */
  about?: Cause['about'] | undefined;
  /** The fields whose change waits for a restart. */
  pending?: string[] | undefined;
  /** That it stays on a former image. */
  keptImage?: string | undefined;
  /** What keeps it from being changed; undefined when nothing does, or nobody asked. */
  waitsFor?: string[] | undefined;
  /** That it stands still, though Proxmox lists it as running. */
  still?: Stillness | undefined;
  /** Why nothing was read of it. */
  unread?: string | undefined;
}

/**
 * The conditions of a machine. An error makes false only what it is about. None of them holds a time: Terraform must come
 * to rest.
 */
export function conditionsOf(standing: Standing): Condition[] {
  const { phase, isThere, error, about, waitsFor, still } = standing;
  const hindered = waitsFor && `waits for ${waitsFor.join('; ')}`;
  const isWell = isThere && error === undefined && still === undefined;
  const orFailed = (isBlamed: boolean, reason: string, otherwise: Condition): Condition =>
    error !== undefined && isBlamed
      ? { type: otherwise.type, status: 'False', reason, message: error }
      : otherwise;
  return [
    {
      type: 'Ready',
      status: isWell ? 'True' : 'False',
      reason: error === undefined && still ? still.reason : phase,
      message: error ?? still?.text ?? hindered ?? (isThere ? standsOf(standing) : absenceOf(standing)),
    },
    orFailed(!isThere, 'CreationFailed', created(standing)),
    orFailed(about === 'resources', 'InsufficientResources', allocated(standing)),
    orFailed(about === 'bridge', 'NetworkError', network(standing)),
  ];
}

/** What a failure is about, as the conditions tell it apart. */
export function aboutOf(error: unknown): Cause['about'] | undefined {
  if (error instanceof RefusedError) return error.refusals.flatMap(({ cause }) => cause?.about ?? [])[0];
  if (error instanceof MachineError) return aboutOf(error.cause);
  return isOutOfRoom(error) ? 'resources' : undefined;
}

function standsOf({ pending = [], keptImage }: Standing): string {
  const stands = pending.length === 0 ? keptImage : `waits for a restart: ${pending.join(', ')}`;
  return stands ?? 'is as Proxmox runs it';
}

function created(standing: Standing): Condition {
  const type = 'VMCreated';
  if (!standing.isThere) return unknown(type, standing);
  return { type, status: 'True', reason: 'CreationSucceeded', message: 'is there' };
}

function allocated(standing: Standing): Condition {
  const type = 'ResourcesAllocated';
  if (!standing.isThere || standing.cards === undefined) return unknown(type, standing);
  return { type, status: 'True', reason: 'AllocationSucceeded', message: 'has its disks' };
}

function network(standing: Standing): Condition {
  const { phase, isThere, addresses, silent, cards } = standing;
  const type = 'NetworkConfigured';
  if (!isThere || cards === undefined) return unknown(type, standing);
  if (cards === 0) return { type, status: 'True', reason: 'NetworkReady', message: 'has no card' };
  if (addresses.length > 0)
    return { type, status: 'True', reason: 'NetworkReady', message: addresses.join(', ') };
  if (phase === 'Stopped') return { type, status: 'Unknown', reason: 'Stopped', message: 'is off' };
  return { type, status: 'Unknown', reason: 'NetworkReady', message: silent ?? 'has no address yet' };
}

function unknown(type: Condition['type'], standing: Standing): Condition {
  return { type, status: 'Unknown', reason: standing.phase, message: absenceOf(standing) };
}

function absenceOf({ phase, unread, isThere }: Standing): string {
  if (unread !== undefined) return unread;
  if (isThere) return 'was not read';
  return phase === 'Creating' ? 'is being made' : 'is not there yet';
}
