// @ts-check

/**
 * What one part of the test run came to. `notes` are the failures that no test stands for, in a sentence each.
 * @typedef {{ passed: number, failed: number, skips: string[], notes: string[] }} Tally
 */

/** The marker that test/support/skipped.ts puts between a title and its reason. */
export const reasonMarker = ' — skipped: ';

/** The part of jest's JSON report that is read here. @typedef {{ numPassedTests: number, numFailedTests: number, testResults: { name: string, status: string, message: string, assertionResults: { status: string, fullName: string }[] }[] }} Report */

/** Counts jest's report. A file that does not load, a skip without a reason and a suite without a run are failures. @param {string} suite @param {Report} report @returns {Tally} */
export function tallyOf(suite, report) {
  const broken = report.testResults.filter(
    file => file.status === 'failed' && !file.assertionResults.some(isFailed),
  );
  const skipped = report.testResults
    .flatMap(file => file.assertionResults.filter(isSkipped))
    .map(test => test.fullName);
  const silent = skipped.filter(title => !title.includes(reasonMarker));
  const notes = [
    ...broken.map(file => `${suite}: ${file.name} did not run`),
    ...silent.map(
      title => `${suite}: skipped without a reason (skip with test/support/skipped.ts): ${title}`,
    ),
  ];
  if (report.numPassedTests + report.numFailedTests + broken.length === 0)
    notes.push(`${suite}: no test ran`);
  const skips = skipped.filter(title => title.includes(reasonMarker)).map(title => `${suite}: ${title}`);
  return { passed: report.numPassedTests, failed: report.numFailedTests + notes.length, skips, notes };
}

/** @param {{ status: string }} test */
const isFailed = test => test.status === 'failed';
/** @param {{ status: string }} test */
const isSkipped = test => !['passed', 'failed'].includes(test.status);

/** @param {Tally[]} tallies @returns {Tally} */
export function sum(tallies) {
  return {
    passed: tallies.reduce((total, tally) => total + tally.passed, 0),
    failed: tallies.reduce((total, tally) => total + tally.failed, 0),
    skips: tallies.flatMap(tally => tally.skips),
    notes: tallies.flatMap(tally => tally.notes),
  };
}
