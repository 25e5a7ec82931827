/** One picture of two that were taken of a page: the light one, and the dark one for who prefers it. @param {{ width: number, height: number, says: string }} about @param {Buffer} light @param {Buffer} dark */
export function pair({ width, height, says }, light, dark) {
  const image = (/** @type {string} */ kind, /** @type {Buffer} */ png) =>
    `<image class="${kind}" width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${says}</title>`,
    '<style>.dark { display: none }',
    '@media (prefers-color-scheme: dark) { .dark { display: inline } .light { display: none } }</style>',
    image('light', light),
    image('dark', dark),
    '</svg>\n',
  ].join('\n');
}
