import { shownValue } from '../../../reconciler/machine/shown-value';

test.each([
  ['onboot', undefined, '1', 'true'],
  ['reboot', undefined, '0', 'false'],
  ['scsi3', 'detect_zeroes', true, 'true'],
  ['memory', 'current', 2048, '2Gi'],
  ['vga', 'memory', 32, '32Mi'],
  ['cores', undefined, '4', '4'],
  ['sshkeys', undefined, 'ssh-ed25519%20AA%0Assh-rsa%20BB%0A', '2 keys'],
  ['virtio2', 'file', 'fast:0.5', 'fast:512Mi'],
  ['ide2', 'file', 'local:iso/a.iso', 'local:iso/a.iso'],
])('%s %s %p is shown as people say it', (key, property, value, shown) => {
  expect(shownValue({ key, ...(property === undefined ? {} : { property }) }, value)).toBe(shown);
});
