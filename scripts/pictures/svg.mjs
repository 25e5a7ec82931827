const SANS = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
/** Light, and dark where the reader has it. A picture in a page follows the look of the page. */
const STYLE = `
  .page { fill: #fff } .box { fill: #f3f6fa; stroke: #8a97a6 } .ours { fill: #e3edfb; stroke: #1f5fbf }
  .danger { fill: #fdeaea; stroke: #a4161a } .line { stroke: #57606a; fill: none } .tip { fill: #57606a }
  text { font: 14px ${SANS}; fill: #1b1f24 } .title { font-weight: 600; font-size: 15px } .soft { fill: #4d5661 }
  .mono { font: 13px ${MONO}; white-space: pre } .bad { fill: #a4161a } .good { fill: #0b5d2e } .warn { fill: #7a4a00 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #14171c } .box { fill: #20252c; stroke: #6b7785 } .ours { fill: #16294a; stroke: #8fb8ff }
    .danger { fill: #3d1719; stroke: #ffb3ae } .line { stroke: #a3adb8 } .tip { fill: #a3adb8 }
    text { fill: #e8ebef } .soft { fill: #b5bec8 } .bad { fill: #ffb3ae } .good { fill: #9fe3b8 } .warn { fill: #ffd58a }
  }`;

/** @param {string} text */
const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A whole picture. `says` is for who does not see it. @param {number} width @param {number} height @param {string} says @param {string[]} parts */
export const picture = (width, height, says, parts) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(says)}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="8"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');

/** @param {number} x @param {number} y @param {string} words @param {string} [kind] @param {'start' | 'middle'} [anchor] */
export const text = (x, y, words, kind = '', anchor = 'start') =>
  `<text x="${x}" y="${y}" class="${kind}" text-anchor="${anchor}">${escaped(words)}</text>`;

/** A box with a title, and lines below it. @param {{ x: number, y: number, width: number, height: number, kind?: string }} place @param {string} title @param {string[]} [lines] */
export const box = ({ x, y, width, height, kind = 'box' }, title, lines = []) =>
  [
    `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8" stroke-width="1.5"/>`,
    text(x + 14, y + 26, title, 'title'),
    ...lines.map((line, at) => text(x + 14, y + 48 + 20 * at, line, 'soft')),
  ].join('\n');

/** A line with a tip at its end, through these points. @param {[number, number][]} points */
export function arrow(...points) {
  const [[x, y] = [0, 0], [fromX, fromY] = [0, 0]] = points.toReversed();
  const angle = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
  const way = points.map(point => point.join(',')).join(' ');
  return [
    `<polyline class="line" stroke-width="1.5" points="${way}"/>`,
    `<path class="tip" d="M0 0L-9 -4.5L-9 4.5z" transform="translate(${x} ${y}) rotate(${angle})"/>`,
  ].join('\n');
}
