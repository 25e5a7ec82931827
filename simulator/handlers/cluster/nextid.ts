import type { HandlerTable } from '../../cluster/call';
import { failParameters } from '../../failure';
import { freeId } from '../../cluster/free-vmid';

export const clusterNextIdHandlers: HandlerTable = {
  'GET /cluster/nextid': ({ sim, params: { vmid } }) => {
    if (vmid === undefined) return freeId(sim);
    if (sim.world.guests[Number(vmid)]) failParameters({ vmid: `VM ${vmid} already exists` });
    return vmid;
  },
};
