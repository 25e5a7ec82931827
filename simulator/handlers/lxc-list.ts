import type { HandlerTable } from '../call';
import { containerRow } from '../guest/container';
import { guestsSeenBy } from '../views/visible-guests';

export const lxcListHandlers: HandlerTable = {
  'GET /nodes/{node}/lxc': call => guestsSeenBy(call, 'lxc').map(containerRow),
};
