const path = require('node:path');
// jest's own, which comes with it
const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take long, the longest of a suite first. */
const SLOW = [
  'repository/build',
  'e2e/apps/examples',
  'e2e/crash/killed',
  'e2e/review/changes-as-told',
  'e2e/review/removals-as-told',
  'e2e/worker/cluster-events',
  'e2e/apps/npm-package',
  'e2e/apps/cdktn-package',
  'e2e/worker/second-actor',
  'e2e/apps/demo',
  'e2e/terraform/clone-of-new',
  'runs/faults/cluster-events',
  'runs/faults/lost-answers',
  'runs/snapshots/lost-answers',
  'runs/cloud-init/lost-answers',
  'runs/snapshots/second-actor',
  'runs/concurrent/second-actor-change',
  'runs/power/never-left-off',
  'runs/convergence',
];

/**
 * Begins with the files that take long, so that none of them runs alone at the end. Jest goes by their size where it
 * has not seen them run, as in a new checkout.
 */
module.exports = class SlowFirst extends Sequencer {
  /** @override @param {Parameters<Sequencer['sort']>[0]} tests */
  async sort(tests) {
    /** @param {(typeof tests)[number]} test */
    const rank = ({ path: file, context }) => {
      const name = path.relative(path.join(context.config.rootDir, 'test'), file).replace(/\.test\.ts$/, '');
      return SLOW.includes(name) ? SLOW.indexOf(name) : SLOW.length;
    };
    return [...(await super.sort(tests))].sort((one, other) => rank(one) - rank(other));
  }
};
