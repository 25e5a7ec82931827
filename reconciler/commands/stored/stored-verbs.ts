import { DESIRED, type Verb } from '../verb';

/** What people do to a desired state that is kept in PostgreSQL. */
export const STORED_VERBS: Verb[] = [
  {
    name: 'put',
    words: '<file>',
    wordsSay: 'the desired state as JSON or YAML, - for stdin; with --manifests a file of manifests',
    says: 'Checks a desired state, tells which machines come, change and leave, and stores it in PostgreSQL as the newest version. Asks no cluster.',
    examples: [
      'pve-reconciler put desired.yaml --spec postgres://pve@db.example.com/pve --why "web gets more memory"',
      'pve-reconciler put desired.yaml --after 4 --spec postgres://pve@db.example.com/pve',
      'pve-reconciler put machines.yaml --manifests postgres://pve@db.example.com/pve#team-a',
      'pve-reconciler get --version 3 --spec postgres://pve@db.example.com/pve | pve-reconciler put - --spec postgres://pve@db.example.com/pve',
    ],
    flags: [...DESIRED, 'after', 'why', 'yes', 'json'],
    load: async () => (await import('./put.js')).put,
  },
  {
    name: 'get',
    says: 'Prints a desired state that put stored in PostgreSQL, as it was put, to the byte. Changes nothing.',
    examples: [
      'pve-reconciler get --spec postgres://pve@db.example.com/pve',
      'pve-reconciler get --spec postgres://pve@db.example.com/pve --version 3',
      'pve-reconciler get --spec postgres://pve@db.example.com/pve --history',
    ],
    others: true,
    flags: ['spec', 'manifests', 'version', 'history', 'json'],
    load: async () => (await import('./get.js')).get,
  },
];
