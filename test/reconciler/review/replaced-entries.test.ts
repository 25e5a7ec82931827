import { failOnWords, failures } from '../../../reconciler/review/fail-on';
import type { Review } from '../../../reconciler/review/review';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { planOf, type PlanOptions } from '../../support/review/plan-document';

const held = {
  unread: 0,
  guests: [
    {
      ...{ machine: 'web', entry: 'entry-web', node: 'pve1', vmid: 100, disks: { root: 1024 ** 3 } },
      losses: {
        volumes: [{ slot: 'scsi0', volume: 'a:vm-100-disk-0', kind: 'disk', disk: 'root', bytes: 1024 ** 3 }],
        snapshots: [{ name: 'clean' }],
      },
    },
  ],
};
const REPLACED: PlanOptions = { actions: ['delete', 'create'], reason: 'replace_by_request', held };
const GATE = failOnWords('destroy,rebuild,lost-volume,lost-snapshot');

const stopsAt = (review: Review): string[] => failures(review, GATE);

describe('an apply that is refused for a machine alone, whose entry is replaced', () => {
  const web = { status: 'refused', effect: 'refused', refusal: '', alone: 'Disk "data" cannot shrink.' };

  test('destroys it, and then refuses to make it again: the gate stops', () => {
    const review = reviewPlan(planOf({ web }, REPLACED), 'plan.json');
    expect(stopsAt(review)).toEqual(['destroy (1)', 'lost-volume (1)', 'lost-snapshot (1)']);
    expect(review.warnings[0]).toBe(
      'The apply will fail: it destroys web and refuses to make that again. Other machines are applied.',
    );
    expect(review.machines[0]?.notes.join(' ')).toMatch(
      /Its destroy runs before .*plan again without what replaces its entry.* Disk "data" cannot shrink\./,
    );
  });

  test('does nothing to it where the destroy itself is refused', () => {
    const guests = held.guests.map(guest => ({ ...guest, stays: 'it is protected.' }));
    const review = reviewPlan(planOf({ web }, { ...REPLACED, held: { ...held, guests } }), 'plan.json');
    expect(stopsAt(review)).toEqual([]);
    expect(review.warnings[0]).toMatch(/^The apply will fail: it refuses to destroy web\./);
  });

  test('does nothing to it where its refusal stops the whole plan', () => {
    const review = reviewPlan(planOf({ web: { ...web, refusal: 'It is locked.' } }, REPLACED), 'plan.json');
    expect(review.machines[0]?.verdict).toBe('refused');
  });

  test('makes others all the same', () => {
    const entries = { web: ['delete', 'create'], db: ['create'] };
    const db = { status: 'absent', effect: 'create' };
    const { machines } = reviewPlan(planOf({ web, db }, { held, entries }), 'plan.json');
    expect(machines.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['web', 'destroy'],
      ['db', 'create'],
    ]);
  });
});

describe('a machine whose owner is another one now', () => {
  /** A plan whose observers read the guests of the owner `new`, and find none. */
  const ofNewOwner = (options: PlanOptions): Review => {
    const absent = { web: { status: 'absent', effect: 'create' } };
    const text = planOf(absent, { ...options, held: { unread: 0, guests: [] } });
    return reviewPlan(text.replaceAll('"protocol":"1","owner":"o"', '"protocol":"1","owner":"new"'), 'plan');
  };

  test('is destroyed where its entry is replaced, and made for the new one: the gate stops', () => {
    const review = ofNewOwner(REPLACED);
    expect(stopsAt(review)).toEqual(['rebuild (1)', 'lost-volume (1)']);
    expect(review.machines[0]?.notes.join(' ')).toMatch(
      /its disks are not known: nobody looked: .* another owner, and this one belongs to o\./,
    );
    expect(review.warnings.join(' ')).toMatch(/its owner was o, is now new\. Set the owner to what it was\./);
  });

  test('is left where Terraform runs no destroy, and a second one is made', () => {
    const review = ofNewOwner({ ...REPLACED, tainted: true });
    expect(review.machines[0]?.verdict).toBe('forget');
    expect(review.warnings[0]).toMatch(/tainted.*the machine stays, and nobody manages it/);
  });

  test('is refused where its entry stays', () => {
    expect(ofNewOwner({}).machines[0]?.verdict).toBe('refused');
  });

  test('leaves the code: its disks are not known, and not none', () => {
    expect(stopsAt(ofNewOwner({ actions: ['delete'] }))).toEqual(['destroy (1)', 'lost-volume (1)']);
  });
});
