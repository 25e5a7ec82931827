import { stringify } from 'yaml';
import { desiredJson } from '../cluster/lab';

export const disk = (name: string): object => ({ name, size: '1Gi', storage: 'local-lvm' });
/** A machine whose last disk is deleted where it leaves. */
export const web = {
  ...{ id: 'web', node: 'pve1', image: { blank: true }, power: 'stopped', memory: '512Mi' },
  disks: [disk('root'), { ...disk('data'), onRemove: 'delete' }],
};
export const yaml = stringify(desiredJson([web]));
/** The same, cut before that disk: good YAML of a machine without it. */
export const beginning = yaml.slice(0, yaml.indexOf('      - name: data'));
