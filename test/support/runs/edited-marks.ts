import type { Guest } from '../../../simulator/world';

/** Our line in a description, with its line break. */
export const LINE_OF_OURS = /\r?\n?<!-- pvr:.*? -->/;

export interface Edited {
  change: (guest: Guest, other: Guest) => void;
  /** The status that a plan of Terraform is told, and what it says. */
  told: [status: 'in-sync' | 'different' | 'refused', said: RegExp];
  /** The notes after an apply; as they were, unless said otherwise. */
  left?: string;
  /** What becomes of it by an apply: it is refused, alone. Healed, unless said. */
  ends?: 'refused';
}

const described =
  (to: (text: string, other: string) => string): Edited['change'] =>
  (guest, other) => {
    guest.config['description'] = to(guest.config['description']!, other.config['description']!);
  };

const AWAY = /the mark was edited away; it is written again/;
const UNREADABLE = /the mark was edited, and cannot be read any more; it is written again/;
const TWICE = /"mark".*there more than once|mark: there more than once/;
const UNTRUE = /the mark was edited, and is not true of this guest; it is written again/;

/** What people do to one machine in Proxmox's own page: notes and mark, tag, name, uuid, and its hardware. */
export const EDITED: Record<string, Edited> = {
  'the notes are replaced': {
    change: described(() => 'Ask Bert.'),
    told: ['different', AWAY],
    left: 'Ask Bert.',
  },
  'the mark is deleted, the notes are kept': {
    change: described(text => text.replace(LINE_OF_OURS, '')),
    told: ['different', AWAY],
  },
  'the description is emptied': {
    change: guest => delete guest.config['description'],
    told: ['different', AWAY],
    left: '',
  },
  'a letter of the mark is changed': {
    change: described(text => text.replace('"v":1', '"v":x')),
    told: ['different', UNREADABLE],
  },
  'the version in it is changed': {
    change: described(text => text.replace('"v":1', '"v":7')),
    // nothing tells it from the mark of a later release, which is never written over
    told: ['refused', /was written by a later release, and this one does not know what it says/],
    ends: 'refused',
  },
  'a letter of its first word is changed': {
    change: described(text => text.replace('<!-- pvr:', '<!-- pvt:')),
    told: ['different', UNREADABLE],
  },
  'a letter of the owner in it is changed': {
    change: described(text => text.replace('"o":"team', '"o":"tean')),
    // it has the uuid of the guest, so that it may be true: it was given to another owner
    told: ['refused', /of owner tean\/lab, machine m3 carries our tag, and no mark of this machine/],
    ends: 'refused',
  },
  'a letter of the uuid in it is changed': {
    change: described(text => text.replace(/"u":"./, '"u":"x')),
    told: ['different', UNTRUE],
  },
  'half of the mark is deleted': {
    change: described(text => text.slice(0, text.indexOf('"u"'))),
    told: ['different', UNREADABLE],
  },
  'the mark is there twice': {
    change: described(text => `${text}\n${LINE_OF_OURS.exec(text)?.[0].trim() ?? ''}`),
    told: ['different', TWICE],
  },
  'the mark of another machine is there in its place': {
    change: described((_, other) => other),
    told: ['different', UNTRUE],
  },
  'the mark of another machine is there below it': {
    change: described((text, other) => `${text}\n${other.split('\n').at(-1)}`),
    told: ['different', TWICE],
  },
  'notes are written below the mark': {
    change: described(text => `${text}\nIt moves in May.`),
    told: ['in-sync', /^/],
    left: 'Anna looks after it.\nIt moves in May.',
  },
  'the editor has line ends of Windows': {
    change: described(text => `${text}\nIt moves in May.`.replaceAll('\n', '\r\n')),
    told: ['in-sync', /^/],
    left: 'Anna looks after it.\r\nIt moves in May.',
  },
  'letters of all kinds stand around the mark': {
    change: described(text => `\u{1F600} “é”\u00a0\n${text}\n\u00a0\u{1F600}`),
    told: ['in-sync', /^/],
    left: '\u{1F600} “é”\u00a0\nAnna looks after it.\n\u00a0\u{1F600}',
  },
  'its tag is removed': {
    change: guest => delete guest.config['tags'],
    told: ['different', /tags|identity/],
  },
  'its name is changed': {
    change: guest => (guest.config['name'] = 'renamed'),
    told: ['different', /name/],
  },
  'its uuid is changed': {
    change: guest => (guest.config['smbios1'] = 'uuid=11111111-1111-4111-8111-111111111111'),
    told: ['refused', /its uuid was changed by hand.*qm set \d+ --smbios1 uuid=/],
    ends: 'refused',
  },
  'its memory is changed': {
    change: guest => (guest.config['memory'] = '2048'),
    told: ['different', /memory/],
  },
  'its disk is grown, which the spec does not say': {
    change: guest => (guest.config['scsi0'] = guest.config['scsi0']!.replace('size=8G', 'size=9G')),
    told: ['refused', /cannot shrink/],
    ends: 'refused',
  },
  'a template is made of it': {
    change: guest => (guest.config['template'] = '1'),
    told: ['refused', /is a template now/],
    ends: 'refused',
  },
};
