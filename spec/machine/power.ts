import * as z from 'zod';
import { ALWAYS } from '../fields/defaults';
import { durationOf } from '../values/duration';
import { always, optional } from '../fields/field';
import { strictObject } from '../fields/strict-object';
import { wants, wholeNumber } from '../fields/wants';

const timeout = durationOf('1s', '24h', 1000);

const Timeouts = strictObject(() => ({
  create: always(timeout, ALWAYS.timeouts.create, 'How long creating may take.'),
  apply: always(timeout, ALWAYS.timeouts.apply, 'How long a change may take.'),
  destroy: always(timeout, ALWAYS.timeouts.destroy, 'How long a destroy may take, as the last apply said.'),
  agent: always(
    timeout,
    ALWAYS.timeouts.agent,
    'How long a run that starts the machine waits for its agent or an address.',
  ),
  cloudInit: always(
    timeout,
    ALWAYS.timeouts.cloudInit,
    'How long a start waits until cloud-init is done, once the agent answers.',
  ),
}));

const SnapshotBeforeChange = z.union(
  [
    z.boolean(),
    strictObject(() => ({
      keep: always(wholeNumber(1, 100), ALWAYS.snapshotBeforeChange.keep, 'How many stay.'),
    })),
  ],
  wants('true, false or {"keep": 1}'),
);

/** The fields of a machine that say how it is run and how carefully it is changed. */
export const powerFields = () => ({
  mode: always(
    z.enum(['reconcile', 'observe', 'paused']),
    ALWAYS.mode,
    'observe never writes, and warns of what differs; paused is not even read. A machine that leaves the desired state is destroyed in every mode.',
  ),
  power: always(
    z.enum(['running', 'stopped', 'unmanaged']),
    ALWAYS.power,
    'The state that is kept; `unmanaged`: none, and a machine that is destroyed and created again is started if it ran before.',
  ),
  shutdownTimeout: always(timeout, ALWAYS.shutdownTimeout, 'How long a shutdown may take.'),
  forceStop: always(z.boolean(), ALWAYS.forceStop, 'Stop hard when the shutdown takes too long.'),
  restart: always(
    z.enum(['never', 'whenNeeded']),
    ALWAYS.restart,
    'Never: a change that needs a restart is reported as pending. Addresses and cloud-init data of a machine that runs need one.',
  ),
  keptVolumes: always(
    z.enum(['refuse', 'destroy']),
    ALWAYS.keptVolumes,
    'What becomes of volumes that were kept and hang on the guest unused, when it is destroyed or made anew: refuse holds that up, destroy lets them go with it once that is applied.',
  ),
  timeouts: optional(Timeouts, 'How long each thing may take.'),
  snapshotBeforeChange: optional(
    SnapshotBeforeChange,
    'Take a snapshot before a change of devices or disks, or a restart, and keep so many of them. None before a disk or the machine moves, or before the machine is made anew.',
  ),
});
