// @ts-check
/** The times of whole commands as bars, from the table that bench/terraform.mjs printed. */

const COLOURS = ['#4c78a8', '#bab0ac', '#f58518'];
const [LEFT, WIDTH, HEIGHT] = [110, 620, 14];

/** @param {string} text */
export function barsOf(text) {
  const rows = text.split('\n').flatMap(line => {
    const [, step, of, , , time] = line.split('|').map(cell => cell.trim());
    const seconds = Number.parseFloat(time ?? '');
    return step !== undefined && of !== undefined && Number.isFinite(seconds) ? [{ step, of, seconds }] : [];
  });
  const kinds = [...new Set(rows.map(({ of }) => of))];
  const steps = [...new Set(rows.map(({ step }) => step))];
  const most = Math.max(...rows.map(({ seconds }) => seconds));
  const block = kinds.length * HEIGHT + 10;
  const bars = rows.map(({ step, of, seconds }) => {
    const kind = kinds.indexOf(of);
    const y = 26 + steps.indexOf(step) * block + kind * HEIGHT;
    const width = ((seconds / most) * WIDTH).toFixed(1);
    const name = kind === 0 ? `<text x="4" y="${y + 10}">${step}</text>` : '';
    const length = `<text x="${LEFT + Number(width) + 4}" y="${y + 10}">${seconds.toFixed(1)} s</text>`;
    const bar = `<rect x="${LEFT}" y="${y}" width="${width}" height="${HEIGHT - 2}" fill="${COLOURS[kind]}"/>`;
    return name + bar + length;
  });
  const legend = kinds.map(
    (of, n) =>
      `<rect x="${LEFT + n * 200}" y="6" width="10" height="10" fill="${COLOURS[n]}"/><text x="${LEFT + n * 200 + 14}" y="15">${of}</text>`,
  );
  const size = `width="${LEFT + WIDTH + 60}" height="${30 + steps.length * block}"`;
  const style = '<style>text { font: 10px sans-serif; fill: #888 }</style>';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${style}${[...legend, ...bars].join('\n')}\n</svg>\n`;
}
