/** How long a worker of each type takes on an idle cluster, in milliseconds (assumed; `--task-ms` overrides). */
const USUAL_MS: Record<string, number> = {
  qmcreate: 600,
  qmclone: 700,
  qmdestroy: 500,
  qmstart: 900,
  qmstop: 700,
  qmmove: 1500,
  qmigrate: 2500,
  qmsnapshot: 700,
  qmrollback: 700,
  imgcopy: 300,
};

/** The time for a task of this type; half a second for types that are not in the table. */
export function usualMs(type: string): number {
  return USUAL_MS[type] ?? 500;
}
