import { readFileSync } from 'node:fs';
import type { Target } from '../../../simulator/replay/player';
import { play } from '../../../simulator/replay/player';
import { readScenario } from '../../../simulator/replay/step';

/** Plays the recording of a file against a target and lists what differs, by the number of the step. */
export async function replayFile(target: Target, file: string) {
  const played = await play(target, readScenario(JSON.parse(readFileSync(file, 'utf8'))));
  const failed = played.filter(({ differences }) => differences.length > 0);
  const leftOut = played.flatMap(({ step, leftOut: why }) =>
    why === undefined ? [] : [`step ${step.n}: ${why}`],
  );
  return {
    failures: new Map(failed.map(({ step, differences }) => [step.n, differences.map(({ says }) => says)])),
    leftOut,
  };
}
