import type { HandlerTable } from '../call';

export const versionHandlers: HandlerTable = {
  'GET /version': ({ sim }) => ({ ...sim.world.version, repoid: '14a22df3c1d1a0b8' }),
};
