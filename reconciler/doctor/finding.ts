/** What is looked at, in the order in which it is told. */
export const CHECKS = [
  'configuration',
  'worker',
  'endpoint',
  'tls',
  'credentials',
  'version',
  'clock',
  'quorum',
  'nodes',
  'permissions',
  'tag rules',
  'numbers',
  'storages',
  'bridges',
  'templates',
  'marks',
  'power',
  'locks',
  'machines',
  'orphans',
] as const;
export type Check = (typeof CHECKS)[number];

/** Something that is not as it should be, and what to do about it. A warning stops nothing. */
export interface Finding {
  check: Check;
  level: 'fault' | 'warning';
  says: string;
  remedy: string;
}

const ofLevel =
  (level: Finding['level']) =>
  (check: Check, says: string, remedy: string): Finding => ({ check, level, says, remedy });

/** One that is a fault. */
export const fault = ofLevel('fault');

/** One that is a warning. */
export const warning = ofLevel('warning');
