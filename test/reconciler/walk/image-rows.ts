import { parseDesiredState } from '../../../spec';
import type { Json } from './planned';
import type { Proof } from './proof';

/** What a desired state becomes with an image of each of these fields, or what is wrong with it. */
const built = (...fields: Json[]): Proof => ({
  differ: () =>
    fields.map(each => {
      const machines = [{ id: 'web', image: { machine: 'debian' } }];
      const images = [{ ...IMAGE, ...each }];
      return parseDesiredState({ version: 1, owner: 'o', cluster: { name: 'lab' }, machines, images });
    }),
});

const IMAGE = {
  ...{ name: 'debian', url: 'https://example.com/a.qcow2', checksum: `sha256:${'a'.repeat(64)}` },
  diskStorage: 'local-lvm',
};

/** What an image says that is made ready before machines are cloned from it. */
export const IMAGE_ROWS: Readonly<Record<string, Proof>> = {
  name: built({}, { name: 'ubuntu' }),
  cluster: built({}, { cluster: 'other' }),
  template: built({}, { template: 'debian-12', url: null, checksum: null, diskStorage: null }),
  'template.tag': built(
    ...['a', 'b'].map(tag => ({ template: { tag }, url: null, checksum: null, diskStorage: null })),
  ),
  url: built({}, { url: 'https://example.com/b.qcow2' }),
  file: built(...['/a.raw', '/b.raw'].map(file => ({ file, url: null }))),
  checksum: built({}, { checksum: `sha256:${'b'.repeat(64)}` }),
  storage: built({}, { storage: 'local' }),
  templateName: built({}, { templateName: 'golden' }),
  vmid: built({}, { vmid: 900 }),
  diskStorage: built({}, { diskStorage: 'shared' }),
  nodes: built({}, { nodes: ['pve1'] }),
};
