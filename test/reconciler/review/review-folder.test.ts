import { reviewHtml } from '../../../reconciler/review/page/page';
import { reviewFolder } from '../../../reconciler/review/review-folder';
import { reviewMarkdown } from '../../../reconciler/review/markdown';
import { reviewText } from '../../../reconciler/review/text';
import { desiredJson } from '../../support/cluster/lab';

const GIB = 1024 ** 3;
const web = {
  id: 'web',
  image: { blank: true },
  memory: 4 * GIB,
  balloon: 1.5 * GIB,
  display: { type: 'qxl', memory: GIB / 32 },
  placement: { minFreeMemory: 8 * GIB },
  disks: [{ name: 'root', size: 20 * GIB, storage: 'fast' }],
};
const review = reviewFolder([{ name: 'lab.json', json: desiredJson([web]) }]);

test('the sizes of a stack have units in every form', () => {
  expect(Object.fromEntries(review.machines[0]?.changes.map(({ field, to }) => [field, to]) ?? [])).toEqual({
    'image.blank': 'true',
    memory: '4Gi',
    balloon: '1536Mi',
    'display.type': 'qxl',
    'display.memory': '32Mi',
    'placement.minFreeMemory': '8Gi',
    'disks.root.name': 'root',
    'disks.root.size': '20Gi',
    'disks.root.storage': 'fast',
  });
  for (const form of [reviewText, reviewMarkdown, reviewHtml]) expect(form(review)).not.toMatch(/\d{7,}/);
});
