import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { SettingsError } from './settings.mjs';

/** The exit code of a review that holds what --fail-on names. */
const GATE = 5;

/** All that the program gets of the environment: it may be code of a pull request, and must see no token. */
const GIVEN = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'TZ', 'GITHUB_SHA'];

/** What a review says. @typedef {{ changes: number, warnings: number, isGated: boolean, gateSays: string, markdown: string, page: string }} Reviewed */

/** Reads the plan with the reconciler, in each form. Throws where that cannot read it. @param {import('./settings.mjs').Settings} settings @returns {Reviewed} */
export function reviewed(settings) {
  const gate = settings.failOn === '' ? [] : ['--fail-on', settings.failOn];
  const { status, stdout, stderr } = review(settings, 'json', ...gate);
  const page = path.join(settings.folder, `review-${settings.key}.html`);
  writeFileSync(page, review(settings, 'html').stdout);
  const { totals, warnings } = JSON.parse(stdout);
  const { unchanged: _, ...others } = totals;
  return {
    changes: Object.values(others).reduce((sum, count) => sum + count, 0),
    warnings: warnings.length,
    isGated: status === GATE,
    gateSays: stderr.trim(),
    markdown: review(settings, 'markdown').stdout,
    page,
  };
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
