import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SettingsError } from './settings.mjs';

/** The exit code of a review that holds what --fail-on names. */
const GATE = 5;

/** All that the program gets of the environment: it may be code of a pull request, and must see no token. */
const GIVEN = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'TZ', 'GITHUB_SHA'];

/** Verdicts by which apply does nothing to a machine. */
const IDLE = ['unchanged', 'refused', 'unreached', 'forget', 'observed', 'unread', 'unplanned'];

/** What a review says. `isQuiet`: the plan changes nothing at all, and there is nothing to warn of. @typedef {{ changes: number, commit: string | undefined, isQuiet: boolean, hasOnlyUnchanged: boolean, isGated: boolean, gateSays: string, markdown: string, page: string }} Reviewed */

/** Reads the plan with the reconciler, in each form. Throws where that cannot read it. @param {import('./settings.mjs').Settings} settings @returns {Reviewed} */
export function reviewed(settings) {
  const gate = settings.failOn === '' ? [] : ['--fail-on', settings.failOn];
  const { status, stdout, stderr } = review(settings, 'json', ...gate);
  const page = path.join(settings.folder, `review-${settings.key}.html`);
  writeFileSync(page, review(settings, 'html').stdout);
  const { about, totals, warnings } = JSON.parse(stdout);
  const verdicts = Object.keys(totals);
  const acting = verdicts.filter(verdict => !IDLE.includes(verdict));
  const hasOnlyUnchanged = verdicts.every(verdict => verdict === 'unchanged') && warnings.length === 0;
  return {
    changes: acting.reduce((sum, verdict) => sum + totals[verdict], 0),
    commit: about.commit,
    hasOnlyUnchanged,
    isQuiet: hasOnlyUnchanged && changesNothing(settings.plan),
    isGated: status === GATE,
    gateSays: stderr.trim(),
    markdown: review(settings, 'markdown').stdout,
    page,
  };
}

/** Whether all in a plan is read or left, also what is no machine. @param {string} plan */
function changesNothing(plan) {
  const { resource_changes: changes = [] } = JSON.parse(readFileSync(plan, 'utf8'));
  return changes.every((/** @type {{ change: { actions: string[] } }} */ { change }) =>
    change.actions.every(action => action === 'no-op' || action === 'read'),
  );
}

/** @param {import('./settings.mjs').Settings} settings @param {string} form @param {string[]} more */
function review({ program, plan }, form, ...more) {
  const args = [program, 'review', plan, '--format', form, ...more];
  const env = Object.fromEntries(GIVEN.map(name => [name, process.env[name]]));
  const ran = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 29, env });
  if (ran.status === 0 || (more.length > 0 && ran.status === GATE)) return ran;
  const said = ran.error?.message ?? ran.stderr.trim();
  throw new SettingsError(
    `the plan ${plan} was not reviewed (exit ${ran.status}): ${said} Nothing was written.`,
  );
}
