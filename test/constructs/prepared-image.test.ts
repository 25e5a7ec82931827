import { Machine, PreparedImage, type PreparedImageProps } from '../../constructs';
import { program, synthesized } from '../support/constructs/synthesized';

const URL: PreparedImageProps = {
  ...{ url: 'https://example.com/debian.qcow2', checksum: `sha256:${'a'.repeat(64)}` },
  diskStorage: 'local-lvm',
};

test('a template of each node is made before the machines that are cloned from it', () => {
  const found = synthesized(stack => {
    const debian = new PreparedImage(stack, 'debian', { ...URL, nodes: ['pve2', 'pve1'] });
    new Machine(stack, 'web', { image: debian.image });
  });
  const revisions = found.resources('null_resource');
  expect(revisions['machine_lab_web']?.['depends_on']).toEqual([
    'null_resource.machine_lab_debian-aaaaaaaaaa-pve1',
    'null_resource.machine_lab_debian-aaaaaaaaaa-pve2',
  ]);
  expect(found.spec('debian-aaaaaaaaaa-pve1')).toMatchObject({ asTemplate: true, node: 'pve1' });
  expect(found.spec('web')).toMatchObject({
    image: { machine: 'debian-aaaaaaaaaa', replicas: ['pve1', 'pve2'] },
  });
});

test('defaults of the cluster are for machines, not for templates', () => {
  const build = (stack: ConstructorParameters<typeof PreparedImage>[0]) =>
    void new PreparedImage(stack, 'debian', URL);
  const { spec } = synthesized(build, { defaults: { cloudInit: { user: 'ada' } } });
  expect(spec('debian-aaaaaaaaaa')).not.toHaveProperty('cloudInit');
});

test('an image that is a template builds nothing', () => {
  const { spec, resources } = synthesized(stack => {
    const debian = new PreparedImage(stack, 'debian', { template: 'debian-12' });
    new Machine(stack, 'web', { image: debian.image });
  });
  expect(spec('web')).toMatchObject({ image: { template: 'debian-12' } });
  expect(Object.keys(resources('null_resource')).filter(name => name.includes('debian'))).toEqual([]);
});

test.each<[string, PreparedImageProps, string]>([
  ['no source', {}, 'images[debian].template: is missing, and url and file too'],
  ['no checksum', { url: 'https://example.com/a.qcow2', diskStorage: 'local' }, 'images[debian].checksum'],
  ['no storage', { ...URL, diskStorage: undefined } as never, 'images[debian].diskStorage: is required'],
  ['a storage that is not allowed', { ...URL, diskStorage: 'other' }, 'is not among the storages'],
])('fails at its construct: %s', (_, props, says) => {
  const build = () =>
    program(stack => void new PreparedImage(stack, 'debian', props), { storages: ['local', 'local-lvm'] });
  expect(build).toThrow(says);
  expect(build).toThrow('web/debian');
});
