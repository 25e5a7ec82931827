import type { HandlerTable } from '../../cluster/call';
import { containerRow } from './container';
import { guestsSeenBy } from '../../views/visible-guests';

export const lxcListHandlers: HandlerTable = {
  'GET /nodes/{node}/lxc': call => guestsSeenBy(call, 'lxc').map(guest => containerRow(call.sim, guest)),
};
