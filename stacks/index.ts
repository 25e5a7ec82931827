/**
 * Our deployable stacks. This room uses the constructs as any user would, by their public door.
 */
export { Fleet, type FleetProps } from './fleet';
