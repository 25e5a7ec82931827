import type { HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { containerConfig, containerRow, loadContainer } from './container';
import { placeOf } from '../../guest/place';
import { haStatus } from '../../ha/request';

const CONTAINER = '/nodes/{node}/lxc/{vmid}';

/** What may be read of a container. Nothing here changes one. */
export const lxcReadHandlers: HandlerTable = {
  [`GET ${CONTAINER}/config`]: call => {
    const { node, vmid } = placeOf(call);
    const guest = loadContainer(call.sim, node, vmid);
    const { snapshot } = call.params;
    if (snapshot !== undefined) fail(`snapshot '${snapshot}' does not exist`);
    return containerConfig(guest);
  },
  [`GET ${CONTAINER}/status/current`]: call => {
    const { node, vmid } = placeOf(call);
    const guest = loadContainer(call.sim, node, vmid);
    // PVE: the id is a number here, and text in the list
    return { ...containerRow(guest), vmid, ha: haStatus(call.sim, guest) };
  },
};
