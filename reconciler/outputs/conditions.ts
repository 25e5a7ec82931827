import type { MachineOutputs } from '../../spec';

type Condition = MachineOutputs['conditions'][number];

/** What the conditions of a machine are read from. */
export interface Standing {
  phase: MachineOutputs['phase'];
  addresses: readonly string[];
  /** Why no address is known; undefined when the agent told, or nobody was asked. */
  silent: string | undefined;
  cards: number;
  /** What went wrong; undefined when nothing did. */
  error?: string | undefined;
  /** What keeps it from being changed; undefined when nothing does, or nobody asked. */
  waitsFor?: string[] | undefined;
  /** Why nothing was read of it. */
  unread?: string | undefined;
}

/** The conditions of a machine. None of them holds a time: Terraform must come to rest. */
export function conditionsOf(standing: Standing): Condition[] {
  const { phase, error, unread, waitsFor } = standing;
  const isThere = phase === 'Running' || phase === 'Stopped';
  const hindered = waitsFor && `waits for ${waitsFor.join('; ')}`;
  const absence = unread ?? (phase === 'Pending' ? 'is not there yet' : 'is being made');
  const orAbsent = (there: Condition, failure: string): Condition => {
    if (isThere) return there;
    return error === undefined
      ? { type: there.type, status: 'Unknown', reason: phase, message: absence }
      : { type: there.type, status: 'False', reason: failure, message: error };
  };
  return [
    {
      type: 'Ready',
      status: isThere ? 'True' : 'False',
      reason: phase,
      message: error ?? hindered ?? (isThere ? 'is as Proxmox runs it' : absence),
    },
    orAbsent(
      { type: 'VMCreated', status: 'True', reason: 'CreationSucceeded', message: 'is there' },
      'CreationFailed',
    ),
    orAbsent(
      { type: 'ResourcesAllocated', status: 'True', reason: 'AllocationSucceeded', message: 'has its disks' },
      'InsufficientResources',
    ),
    orAbsent(network(standing), 'NetworkError'),
  ];
}

function network({ phase, addresses, silent, cards }: Standing): Condition {
  const type = 'NetworkConfigured';
  if (cards === 0) return { type, status: 'True', reason: 'NetworkReady', message: 'has no card' };
  if (addresses.length > 0)
    return { type, status: 'True', reason: 'NetworkReady', message: addresses.join(', ') };
  if (phase === 'Stopped') return { type, status: 'Unknown', reason: 'Stopped', message: 'is off' };
  return { type, status: 'Unknown', reason: 'NetworkReady', message: silent ?? 'has no address yet' };
}
