import type { Call, HandlerTable } from '../cluster/call';
import { REPOSITORY_ID } from '../views/node-status';

const version = ({ sim }: Call): unknown => ({ ...sim.world.version, repoid: REPOSITORY_ID });

export const versionHandlers: HandlerTable = {
  'GET /version': version,
  'GET /nodes/{node}/version': version,
};
