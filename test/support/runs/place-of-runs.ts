import type { Simulator } from '../../../simulator';
import { endState } from '../cluster/end-state';
import type { Lab, LabOptions } from '../cluster/lab';
import { preparing, type Scenario } from './scenarios';

/** Where the runs of a scenario take place: in this process, or in others. */
export interface PlaceOfRuns {
  /** Clusters in which the scenario's machine is there; `bring` of each of them runs here. */
  prepare: (scenario: Scenario) => Promise<(options?: LabOptions) => Promise<Lab>>;
  /** What two runs have in common that ended alike. */
  endOf: (simulator: Simulator) => unknown;
  /** Something happens at every so manieth request; absent: what its test says. */
  stride?: number;
  inParallel?: number;
}

export const inThisProcess: PlaceOfRuns = {
  prepare: scenario => preparing(scenario),
  endOf: simulator => endState(simulator, 'web'),
};
