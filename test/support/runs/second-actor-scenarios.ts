import type { Scenario } from './scenarios';
import { scenarios } from './scenarios';

const cloned = scenarios['create by clone']!.want!;
const blank = scenarios['create blank']!.want!;
const changed = {
  ...blank,
  memory: '2Gi',
  restart: 'whenNeeded',
  pool: 'prod',
  disks: [{ name: 'root', size: '9G', storage: 'shared' }],
};

/** The ways of one machine on which somebody else acts at the same time: how it comes and goes. */
export const comingAndGoing: Record<string, Scenario> = {
  'create by clone': { have: undefined, want: cloned },
  'create from nothing': { have: undefined, want: blank },
  'destroy of a machine that runs': { have: blank, want: undefined },
  'destroy of a machine that is off': { have: { ...blank, power: 'stopped' }, want: undefined },
};

/** And how it changes. */
export const changing: Record<string, Scenario> = {
  // every kind of write: configuration, resize, move of a disk, pool, restart
  change: { have: blank, want: changed },
  move: { have: { ...blank, node: 'pve2' }, want: { ...blank, node: 'pve1', pin: true } },
  rebuild: { have: cloned, want: { ...cloned, image: { template: 'debian-12' }, rebuildOn: ['image'] } },
};

/** And what an apply of Terraform does that goes by what its plan knew. */
export const planned: Record<string, Scenario> = {
  'planned create by clone': { have: undefined, want: cloned },
  'planned create from nothing': { have: undefined, want: blank },
  'planned change of what is there': {
    have: blank,
    want: {
      ...blank,
      ...{ tags: ['x'], description: 'text', memory: '2Gi' },
      disks: [{ name: 'root', size: '9G', storage: 'local-lvm' }],
    },
  },
};
