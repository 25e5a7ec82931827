import type { HandlerTable } from '../../cluster/call';
import { needQuorum } from '../../cluster/quorum';

const NO_QUORUM = "cfs-lock 'domain-ha' error: no quorum!";

/**
 * HA lets go of all resources, and takes them back (new in 9.2). The schema has the calls; what they do was not recorded, so it is
 * assumed: with `freeze` nobody starts, moves or fences anything, with `ignore` guests are as those without HA.
 */
export const haArmHandlers: HandlerTable = {
  'POST /cluster/ha/status/disarm-ha': ({ sim: { world }, params }) => {
    needQuorum(world, NO_QUORUM);
    const mode = params['resource-mode'] === 'ignore' ? 'ignore' : 'freeze';
    world.ha.disarmed = { mode, done: world.ha.disarmed?.done ?? false };
    return null;
  },
  'POST /cluster/ha/status/arm-ha': ({ sim: { world } }) => {
    needQuorum(world, NO_QUORUM);
    delete world.ha.disarmed;
    return null;
  },
};
