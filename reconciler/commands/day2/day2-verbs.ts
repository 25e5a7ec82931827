import { DESIRED, type Verb } from '../verb';

/** What people do to machines that are there, by their names. */
export const DAY2_VERBS: Verb[] = [
  {
    name: 'power',
    words: '<subcommand> <machines...>',
    first: {
      start: 'Starts it; one that was suspended to disk goes on.',
      stop: 'Stops it hard, at once.',
      shutdown: 'Asks the system in it to shut down; then it is stopped hard, unless forceStop: false.',
      reboot: 'Shuts it down and starts it, so that what waits for a restart is in effect. Never hard.',
      reset: 'Presses its reset button: hard, and what waits for a restart goes on waiting.',
      suspend: 'Lets it stand still, in memory.',
      resume: 'Lets it go on, from memory or from disk.',
    },
    meant: {
      ...{ on: 'start', up: 'start', boot: 'start', poweron: 'start', off: 'shutdown', down: 'shutdown' },
      ...{ poweroff: 'shutdown', halt: 'shutdown', restart: 'reboot', cycle: 'reset', kill: 'stop' },
      ...{ pause: 'suspend', unpause: 'resume', continue: 'resume', hibernate: 'suspend' },
    },
    machines: Infinity,
    wordsSay: ['start, stop, shutdown, reboot, reset, suspend or resume', 'the machines'],
    says: 'Starts, stops or restarts machines now, and tells what the next apply does about it. stop and reset are hard.',
    examples: [
      'pve-reconciler power start web --spec desired.json',
      'pve-reconciler power reboot web db --spec desired.json',
      'pve-reconciler power stop web --manifests ./machines',
    ],
    flags: [...DESIRED, 'json', 'quiet'],
    load: async () => (await import('./power.js')).power,
  },
  {
    name: 'console',
    words: '<machine>',
    machines: 1,
    says: 'Prints the address where a browser shows the console of a machine. Changes nothing.',
    examples: ['pve-reconciler console web --spec desired.json'],
    flags: [...DESIRED],
    load: async () => (await import('./console.js')).consoleOf,
  },
  {
    name: 'doctor',
    says: 'Looks at the way to the cluster, at the cluster and at our machines; names what is wrong and what to do. Changes nothing.',
    examples: [
      'pve-reconciler doctor',
      'pve-reconciler doctor --spec desired.json',
      'pve-reconciler doctor --manifests ./machines --json',
    ],
    flags: [...DESIRED, 'source', 'cluster', 'role', 'json'],
    load: async () => (await import('./doctor.js')).doctor,
  },
  {
    name: 'schema',
    words: '[document]',
    wordsSay: 'the document; without it desired-state',
    says: 'Prints the JSON Schema of a document, for editors; of crds the definitions that Kubernetes needs. Asks nobody.',
    examples: [
      'pve-reconciler schema > desired-state.schema.json',
      'pve-reconciler schema machine',
      'pve-reconciler schema crds | kubectl apply --server-side -f -',
    ],
    flags: [],
    load: async () => (await import('./schema.js')).schema,
  },
];
