import type { Simulator } from '../../../simulator';

/** The configurations of the guests that carry our mark, with their vmids, by their names. */
export function ourGuests({ world }: Pick<Simulator, 'world'>): Record<string, Record<string, unknown>> {
  const ours = Object.values(world.guests).filter(({ config }) =>
    config['description']?.includes('<!-- pvr:'),
  );
  return Object.fromEntries(ours.map(({ vmid, config }) => [String(config['name']), { ...config, vmid }]));
}
