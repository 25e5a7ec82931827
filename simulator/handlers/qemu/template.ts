import type { HandlerTable } from '../../cluster/call';
import { placeOf } from '../../guest/place';
import { checkTemplate, makeTemplate } from '../../guest/lifecycle/template';
import { startWorker } from '../../guest/worker';

/** Turning virtual machines into templates. */
export const qemuTemplateHandlers: HandlerTable = {
  'POST /nodes/{node}/qemu/{vmid}/template': call => {
    const disk = call.params['disk'];
    checkTemplate(call.sim, placeOf(call), disk);
    return startWorker(call, 'qmtemplate', (task, place) => makeTemplate(call.sim, task, place, disk));
  },
};
