import { guestAfter } from '../../../../reconciler/life/guest-after';
import { guest } from '../../../support/reconciler/observed';

test('an upload writes nothing to the guest: what follows keeps the digest that was read', () => {
  const read = guest();
  const upload = {
    kind: 'upload-iso',
    node: 'pve1',
    volume: 'local:iso/a.iso',
    sha256: '',
    image: '',
  } as const;
  expect(guestAfter(upload, read)).toBe(read);
});
