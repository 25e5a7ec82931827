import type { HaService } from '../world-ha';

/** Puts a service into a state: nothing is done for it yet. */
export function changeState(service: HaService, state: string): void {
  service.state = state;
  service.done = false;
  delete service.upid;
  if (state !== 'migrate' && state !== 'relocate') delete service.target;
}
