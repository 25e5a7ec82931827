import * as fc from 'fast-check';
import type { Mark } from '../../reconciler/mark/mark';
import { readDescription, writeDescription } from '../../reconciler/mark/mark';
import { isOwnerTag, ownerTag } from '../../reconciler/mark/owner-tag';
import { anyText } from '../support/random/any-text';
import { tries } from '../support/random/tries';

const mark: Mark = { v: 1, o: 'team/lab/default', m: 'web', u: '0b7c0b6e-5d5f-4f4c-9a55-0c7c2b1d9f11' };

describe('the mark in a description', () => {
  test("keeps the user's text untouched, whatever it holds", () => {
    fc.assert(
      fc.property(anyText, anyText, (text, token) => {
        // Proxmox strips white space at the end of a description, never before our line
        const read = readDescription(writeDescription(text, { ...mark, t: token }));
        expect(read).toEqual({ text, mark: { ...mark, t: token } });
      }),
      tries(100),
    );
  });

  test('survives the final newline that Proxmox adds', () => {
    expect(readDescription(`${writeDescription('notes', mark)}\n`)).toEqual({ text: 'notes', mark });
  });

  test('never closes the comment early', () => {
    const line = writeDescription('', { ...mark, o: 'a-->b' });
    expect(line.indexOf('-->')).toBe(line.length - 3);
  });

  test.each([
    ['no line of ours', 'just notes', undefined],
    ['our line, not the last', '<!-- pvr:{"v":1} -->\nmore', undefined],
    ['broken JSON', 'notes\n<!-- pvr:{"v":1 -->', 'damaged'],
    ['another format version', '<!-- pvr:{"v":2,"o":"a","m":"b","u":"c"} -->', 'damaged'],
  ])('%s', (_, description, expected) => {
    expect(readDescription(description).mark).toBe(expected);
  });
});

describe('the owner tag', () => {
  test('is a tag that Proxmox takes as it is, and differs by owner and by machine', () => {
    const tags = [ownerTag('a', 'web'), ownerTag('b', 'web'), ownerTag('a', 'db')];
    expect(new Set(tags).size).toBe(3);
    tags.forEach(tag => expect(isOwnerTag(tag)).toBe(true));
  });
});
