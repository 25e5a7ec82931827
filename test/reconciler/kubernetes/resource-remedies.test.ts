import { RefusedError } from '../../../reconciler/errors';
import { destroyRefusals, type Stays } from '../../../reconciler/plan/why-it-stays';

const wordsOf = (stays: Stays, isOfResource = true): string =>
  new RefusedError(destroyRefusals('web', { vmid: 100, node: 'pve1' }, stays, { isOfResource })).message;

test('a protected guest: what is not applied is not offered, and Retain is', () => {
  const said = wordsOf({ why: 'protected' });
  expect(said).toContain('Clear it on pve1 (qm set 100 --protection 0). Or keep the guest:');
  expect(said).toContain('spec.deletionPolicy to Retain');
  expect(said).not.toContain('apply');
});

test('volumes that were kept: they are moved, or deleted, or the guest is kept', () => {
  const volumes = [{ slot: 'unused0', volume: 'local:vm-100-disk-1' }] as Extract<
    Stays,
    { why: 'kept-volumes' }
  >['volumes'];
  const said = wordsOf({ why: 'kept-volumes', volumes });
  expect(said).toContain('qm disk move 100 unused0');
  expect(said).toContain('(qm disk unlink 100 --idlist unused0 --force 1). Or keep the guest:');
  expect(said).not.toMatch(/existingVolume|keptVolumes/);
});

test('others stay as they are', () => {
  expect(wordsOf({ why: 'template' })).toContain('Remove it by hand.');
  expect(wordsOf({ why: 'template' })).toBe(wordsOf({ why: 'template' }, false));
});
