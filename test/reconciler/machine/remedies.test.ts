import { imageForm } from '../../../reconciler/mark/image-words';

it.each([
  ['template debian-12', '{"template": "debian-12"}'],
  ['template 9000@clean', '{"template": 9000, "snapshot": "clean"}'],
  ['template tag:golden', '{"template": {"tag": "golden"}}'],
  ['machine base', '{"machine": "base"}'],
  ['iso local:iso/a.iso', '{"iso": "local:iso/a.iso"}'],
  ['blank', '{"blank": true}'],
  ['url sha256:12', undefined],
  ['template a-very-long-na… 0123', undefined],
])('the image that the mark calls "%s" is written %s', (words, form) => {
  expect(imageForm(words)).toBe(form);
});
