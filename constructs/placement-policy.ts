import { parsePlacementPolicy } from '../spec';
import { literalProps } from './private/tokens/literal-only';
import type { AffinityProps, AntiAffinityProps, PlacementProps } from './props/placement';
import type { Size } from './values/size';

/** A placement that many machines name. */
export interface PlacementPolicyProps extends PlacementProps {
  /** What people call it. */
  readonly name: string;
}

/** Where new machines may go, said once: the `placement` of each machine that it is given to. */
export class PlacementPolicy implements PlacementProps {
  declare readonly nodes?: readonly string[];
  declare readonly nodeSelector?: Readonly<Record<string, string>>;
  declare readonly affinity?: readonly AffinityProps[];
  declare readonly antiAffinity?: readonly AntiAffinityProps[];
  declare readonly strategy?: 'spread' | 'pack';
  declare readonly maxVMsPerNode?: number;
  declare readonly minFreeMemory?: Size | string | number;

  constructor(props: PlacementPolicyProps) {
    const { name: _, ...placement } = literalProps(
      `PlacementPolicy ${props.name}`,
      props,
      parsePlacementPolicy,
    );
    Object.assign(this, placement);
  }
}
