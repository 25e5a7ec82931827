import { arrow, box, picture, text } from './svg.mjs';

/** The four parts of a stack (docs/adr/0010), and what each asks of Proxmox. @type {[string, string, string[], string][]} */
const PARTS = [
  ['Observer', 'data.external.observe_lab', ['reads at every plan', 'how machines stand'], 'reads'],
  [
    'Registry',
    'null_resource.machines_lab["web"]',
    ['one entry a machine;', 'no edit can replace it'],
    'destroys',
  ],
  [
    'Revision',
    'null_resource.machine_lab_web',
    ['is replaced freely:', 'that changes in place'],
    'makes, changes',
  ],
  ['Facts', 'data.external.facts_lab', ['only for what', 'somebody reads'], 'reads'],
];
const [WIDTH, GAP, TOP, LEFT] = [286, 20, 58, 20];
const RIGHT = LEFT + 2 * WIDTH + GAP;

/** The parts, two beside two, and Proxmox at their side. */
export const stack = () =>
  picture(
    RIGHT + 300,
    304,
    'The four parts of a stack: the observer reads, the entry of the registry destroys, the revision makes and changes, facts read.',
    [
      text(LEFT, 36, 'a stack, in Terraform', 'title'),
      ...PARTS.map(([title, address, lines, deed], at) => {
        const [x, y] = [LEFT + (at % 2) * (WIDTH + GAP), TOP + Math.floor(at / 2) * 124];
        const kind = deed === 'destroys' ? 'danger' : deed === 'reads' ? 'box' : 'ours';
        return [
          box({ x, y, width: WIDTH, height: 104, kind }, `${title}: ${deed}`, ['', ...lines]),
          text(x + 14, y + 48, address, 'mono soft'),
        ].join('\n');
      }),
      box({ x: RIGHT + 76, y: TOP, width: 204, height: 228 }, 'Proxmox', [
        'the only state',
        '',
        'each guest carries',
        'a tag, a uuid, and our',
        'mark in its description:',
        'what has no mark',
        'is not touched',
      ]),
      arrow([RIGHT + 4, TOP + 114], [RIGHT + 72, TOP + 114]),
      text(RIGHT + 38, TOP + 101, 'reconciler', 'soft', 'middle'),
    ],
  );
