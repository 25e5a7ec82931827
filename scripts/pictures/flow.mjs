import { arrow, box, picture, text } from './svg.mjs';

/** What happens to a machine, from what is wanted to what is told. @type {[string, string[]][]} */
const STEPS = [
  ['Spec', ['what is wanted,', 'as JSON']],
  ['Observed', ['what Proxmox', 'has now']],
  ['Plan', ['actions, costs,', 'and refusals']],
  ['Apply', ['one action', 'after another']],
  ['Outputs', ['what became', 'of it']],
];
const [WIDTH, GAP, TOP] = [146, 26, 34];
/** @param {number} at */
const left = at => 20 + at * (WIDTH + GAP);

/** The flow, and the loop in it. */
export const flow = () =>
  picture(
    left(STEPS.length) - GAP + 20,
    208,
    'The flow: Spec, Observed, Plan, Apply, Outputs. After each apply Proxmox is observed again, until nothing is left to do.',
    [
      ...STEPS.map(([title, lines], at) => {
        const kind = title === 'Plan' ? 'ours' : 'box';
        return box({ x: left(at), y: TOP, width: WIDTH, height: 86, kind }, title, lines);
      }),
      ...STEPS.slice(1).map((_, at) => arrow([left(at) + WIDTH + 3, TOP + 43], [left(at + 1) - 3, TOP + 43])),
      arrow(
        [left(3) + WIDTH / 2, TOP + 90],
        [left(3) + WIDTH / 2, TOP + 126],
        [left(1) + WIDTH / 2, TOP + 126],
        [left(1) + WIDTH / 2, TOP + 90],
      ),
      text(
        left(2) + WIDTH / 2,
        TOP + 150,
        'again, until nothing is left to do; a crash or a lost answer takes the same way',
        'soft',
        'middle',
      ),
    ],
  );
