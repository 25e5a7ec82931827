// @ts-check
// How long the review of a plan with 200 machines takes, process start included, in each form.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const RUNS = 9;
const MACHINES = 200;
const program = fileURLToPath(new URL('../dist/reconciler.cjs', import.meta.url));
const ids = Array.from({ length: MACHINES }, (_, at) => `machine-${at}`);
const triggers = { owner: 'bench', machine: 'm', token: 't' };
const changes = ['memory', 'description', 'tags', 'cpu.cores'].map(field => ({
  field,
  from: 'what it is',
  to: 'what it shall be',
  effect: 'live',
}));
const told = { status: 'different', token: 't', refusal: '', effect: 'live', node: 'pve1', vmid: '100' };
const diff = JSON.stringify({ does: ['writing memory, description, tags, cores'], changes });

/** @param {string} name @param {string | undefined} index @param {string[]} actions */
const resource = (name, index, actions) => ({
  address: `null_resource.${name}`,
  mode: 'managed',
  type: 'null_resource',
  name,
  index,
  change: { actions, before: { triggers }, after: { triggers } },
});
const plan = JSON.stringify({
  format_version: '1.2',
  resource_changes: ids.flatMap(id => [
    resource('machines_lab', id, ['no-op']),
    resource(`machine_lab_${id}`, undefined, ['delete', 'create']),
  ]),
  prior_state: {
    values: {
      root_module: {
        resources: [
          {
            address: 'data.external.observe_lab',
            mode: 'data',
            type: 'external',
            name: 'observe_lab',
            values: {
              query: { protocol: '1', owner: 'bench', cluster: '{"name":"lab"}' },
              result: Object.fromEntries(
                ids.flatMap(id =>
                  Object.entries({ ...told, diff }).map(([field, value]) => [`${id}.${field}`, value]),
                ),
              ),
            },
          },
        ],
      },
    },
  },
  configuration: {},
});

for (const form of ['text', 'markdown', 'json', 'html']) {
  const times = Array.from({ length: RUNS }, () => {
    const started = performance.now();
    const { status, stdout } = spawnSync(process.execPath, [program, 'review', '--format', form], {
      input: plan,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status !== 0 || !stdout.includes('machine-199')) throw new Error(`the review failed: ${status}`);
    return performance.now() - started;
  }).sort((one, other) => one - other);
  const [fastest = 0, median = 0] = [times[0], times[Math.floor(RUNS / 2)]];
  console.log(`${form}: min ${fastest.toFixed(0)} ms, median ${median.toFixed(0)} ms`);
}
