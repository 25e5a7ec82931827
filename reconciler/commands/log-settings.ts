import { closest } from '../../spec';
import type { Environment } from '../config/cluster-variables';
import { LEVELS, type Level } from '../report/level';

/** How the environment asks for it to be reported. */
interface LogSettings {
  level: Level;
  json: boolean;
  /** What was said and means nothing, one text each. */
  faults: string[];
}

/**
 * Reads LOG_LEVEL and LOG_FORMAT. An empty one counts as not there. Of PVE_RUN, which was obeyed before, only what is
 * wrong is reported: whoever asked for something else must not get the usual.
 */
export function logSettings(environment: Environment): LogSettings {
  const faults: string[] = [];
  const level = oneOf('LOG_LEVEL', LEVELS, environment, faults) ?? 'info';
  const json = oneOf('LOG_FORMAT', ['text', 'json'], environment, faults) === 'json';
  oneOf('PVE_RUN', ['shared', 'alone'], environment, faults);
  return { level, json, faults };
}

function oneOf<T extends string>(
  name: string,
  words: readonly T[],
  environment: Environment,
  faults: string[],
): T | undefined {
  const given = environment[name]?.trim().toLowerCase() ?? '';
  const known = words.find(word => word === given);
  if (known !== undefined || given === '') return known;
  const near = closest(given, words);
  const remedy = near === undefined ? 'Use one of them.' : `Did you mean "${near}"?`;
  faults.push(`${name} is ${shown(given)}; allowed: ${words.join(', ')}. ${remedy}`);
  return undefined;
}

// What is longer is no word that somebody mistyped, and may be anything.
function shown(given: string): string {
  return given.length > 20 ? 'not valid' : JSON.stringify(given);
}
