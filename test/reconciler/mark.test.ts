import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Mark } from '../../reconciler/mark/mark';
import { isMadeBy, isMadeFor, machineUuid } from '../../reconciler/mark/machine-uuid';
import { readDescription, writeDescription } from '../../reconciler/mark/description';
import { isOwnerTag, ownerTag } from '../../reconciler/mark/owner-tag';
import { anyText } from '../support/random/any-text';
import { tries } from '../support/random/tries';

const mark: Mark = {
  owner: 'team/lab/default',
  machine: 'web',
  uuid: '0b7c0b6e-5d5f-4f4c-9a55-0c7c2b1d9f11',
};

describe('the mark in a description', () => {
  test("keeps the user's text untouched, whatever it holds", () => {
    fc.assert(
      fc.property(anyText, anyText, (text, token) => {
        // Proxmox strips white space at the end of a description, never before our line
        const read = readDescription(writeDescription(text, { ...mark, token }));
        expect(read).toEqual({ text, mark: { ...mark, token }, isDamaged: false });
      }),
      tries(100),
    );
  });

  test('survives the final newline that Proxmox adds', () => {
    expect(readDescription(`${writeDescription('notes', mark)}\n`)).toEqual({
      text: 'notes',
      mark,
      isDamaged: false,
    });
  });

  test('each letter that any release wrote is read, and written again as it was', () => {
    const places = '"j":"ide2","f":["local"],"so":"apps","a":1,"ip":["10.0.0.5"],"kv":1';
    const left =
      '"nb":{"ciuser":null},"g":["fast:vm-1-disk-0"],"vo":{"data":"fast:vm-1-disk-1"},"vg":"g1","lw":{"disks[data].size":"4Gi"},"lg":"g4"';
    const devices = '"d":{"root":"scsi0"},"n":{"lan":"net0"},"dg":{"data":"g1"}';
    const first = '"v":1,"o":"a","m":"b","u":"c","b":1,"y":7,"c":1,"s":1,"w":"pve2","e":"9","t":"tok"';
    const rest = '"p":2,"r":"before","q":"g2","h":"g3","i":"blank","x":["data"],"l":"5m","k":1';
    for (const state of [1, 2]) {
      const line = `<!-- pvr:{${first},${devices},${rest},"z":${state},${places},${left}} -->`;
      const { mark } = readDescription(line);
      expect(mark).toMatchObject({
        ...{ owner: 'a', isUnfinished: true, isKept: true, guard: state === 1 ? 'begun' : 'done' },
        ...{ nextBoot: { ciuser: null }, volumesToDelete: ['fast:vm-1-disk-0'] },
      });
      expect(mark).not.toHaveProperty('more');
      expect(writeDescription('', mark as Mark)).toBe(line);
    }
  });

  test('keys that this release does not know are read, and written again as they are', () => {
    const later = '<!-- pvr:{"v":1,"o":"a","m":"b","u":"c","zz":{"x":[1]},"more":"y","toString":1} -->';
    const read = readDescription(`notes\n${later}`);
    expect(read.mark).toEqual({
      ...{ owner: 'a', machine: 'b', uuid: 'c' },
      more: { zz: { x: [1] }, more: 'y', toString: 1 },
    });
    expect(writeDescription(read.text, read.mark as Mark)).toBe(`notes\n${later}`);
  });

  test('never closes the comment early', () => {
    const line = writeDescription('', { ...mark, owner: 'a-->b' });
    expect(line.indexOf('-->')).toBe(line.length - 3);
  });

  test.each([
    ['no line of ours', 'just notes', false],
    ['our line, cut short', 'notes <!-- pvr:{"v":1\nmore', true],
    ['our line, with other first letters', 'notes\n<!-- pvt:{"v":1,"o":"a","m":"b","u":"c"} -->', true],
    ['a comment of somebody else', 'notes\n<!-- pvt: {"o":"a"} -->', false],
    ['broken JSON', 'notes\n<!-- pvr:{"v":1 -->', true],
    ['another format version', '<!-- pvr:{"v":2,"o":"a","m":"b","u":"c"} -->', true],
  ])('%s', (_, description, expected) => {
    expect(readDescription(description)).toMatchObject({ mark: undefined, isDamaged: expected });
  });
});

const OTHER: Mark = { ...mark, machine: 'db', uuid: '11111111-5d5f-4f4c-9a55-0c7c2b1d9f11' };
const line = writeDescription('', mark);
const other = writeDescription('', OTHER);

describe('a mark that people have moved', () => {
  test.each([
    ['below it they wrote', `above\n${line}\nbelow`, 'above\nbelow'],
    ['it comes first', `${line}\n\nnotes`, '\nnotes'],
    ['line ends of Windows', `above\r\n${line}\r\nbelow\r\n`, 'above\r\nbelow'],
    ['in the midst of a line', `before ${line} behind`, 'before  behind'],
    ['twice', `notes\n${line}\n${line}`, 'notes'],
    ['beside the mark of another machine', `notes\n${line}\n${other}`, 'notes'],
    ['beside one that is cut short', `notes\n${line}\n<!-- pvr:{"v":1,`, 'notes'],
    ['beside a comment of theirs', `<!-- mine -->\n${line}\na --> b`, '<!-- mine -->\na --> b'],
    ['broken into two lines', `notes\n${line.replace(',"m"', ',\n"m"')}\nmore`, 'notes\nmore'],
    ['letters of all kinds around it', `\u{1F600} é\n\u00a0${line}\u00a0\nß`, '\u{1F600} é\nß'],
  ])('is read all the same, and their notes stay: %s', (_, description, text) => {
    const isTrue = ({ uuid }: Mark): boolean => uuid === mark.uuid;
    expect(readDescription(description, isTrue)).toEqual({ text, mark, isDamaged: false });
    // what is written then is read the same again
    expect(readDescription(writeDescription(text, mark), isTrue)).toEqual({ text, mark, isDamaged: false });
  });

  test('what is cut short takes no line of theirs with it', () => {
    const half = `above\n${line.slice(0, 40)}\nmine <!-- a comment -->\nbelow`;
    expect(readDescription(half)).toEqual({
      text: 'above\nmine <!-- a comment -->\nbelow',
      mark: undefined,
      isDamaged: true,
    });
  });
});

describe('a uuid that we choose', () => {
  const web = { owner: 'team/lab', ids: ['web'], entry: 'e1' };

  test('says which machine it was chosen for, and who chose it', () => {
    const uuid = machineUuid(web);
    expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    expect(isMadeFor(uuid.toUpperCase(), web)).toBe(true);
    expect(isMadeFor(uuid, { ...web, ids: ['new', 'web'] })).toBe(true);
    expect(isMadeFor(uuid, { ...web, ids: ['db'] })).toBe(false);
    expect(isMadeFor(uuid, { ...web, owner: 'team/else' })).toBe(false);
    expect([isMadeBy(uuid, 'e1'), isMadeBy(uuid, 'e2'), isMadeBy(uuid, undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('is another one each time, and one of Proxmox says nothing', () => {
    expect(machineUuid(web)).not.toBe(machineUuid(web));
    for (const uuid of [randomUUID(), undefined, '', machineUuid(web).replace(/.$/, 'x')]) {
      expect(isMadeFor(uuid, web)).toBe(false);
      expect(isMadeBy(uuid, 'e1')).toBe(false);
    }
  });
});

describe('the owner tag', () => {
  test('is a tag that Proxmox takes as it is, and differs by owner and by machine', () => {
    const tags = [ownerTag('a', 'web'), ownerTag('b', 'web'), ownerTag('a', 'db')];
    expect(new Set(tags).size).toBe(3);
    tags.forEach(tag => expect(isOwnerTag(tag)).toBe(true));
  });
});
