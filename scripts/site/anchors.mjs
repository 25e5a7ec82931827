/** The anchor of a heading, as the file has it where it is read without the site. @param {string} heading */
export const slug = heading =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/**
 * Gives each row of a table that begins with a word of code an anchor: an error, a variable, a verb. A field has its
 * place before it: `#machine.cpu.cores`. @param {import('./markdown.mjs').Markdown} md
 */
export function rowAnchors(md) {
  md.core.ruler.push('row-anchors', ({ tokens, Token }) => {
    const place = new Place();
    tokens.forEach((token, at) => {
      const inline = tokens[at + 2];
      if (token.type === 'heading_open') place.enter(token.tag, tokens[at + 1]?.content ?? '');
      if (token.type === 'thead_open') place.isOfFields = tokens[at + 3]?.content === 'field';
      if (token.type !== 'tr_open' || tokens[at + 1]?.type !== 'td_open') return;
      const [, name] = /^`([\w.…[\]*-]+)`/.exec(inline?.content ?? '') ?? [];
      if (name === undefined) return;
      addressed(token, inline, place.anchorOf(name), Token);
    });
  });
}

/**
 * Gives each line of a list that begins with a sentence in code an anchor: a message, by its first words.
 * @param {import('./markdown.mjs').Markdown} md
 */
export function lineAnchors(md) {
  md.core.ruler.push('line-anchors', ({ tokens, Token }) => {
    const place = new Place();
    tokens.forEach((token, at) => {
      if (token.type === 'heading_open') place.enter(token.tag, tokens[at + 1]?.content ?? '');
      const inline = tokens[at + 2];
      const [first] = inline?.children ?? [];
      if (token.type !== 'list_item_open' || first?.type !== 'code_inline' || !first.content.includes(' '))
        return;
      const words = slug(first.content).split(/-+/).filter(Boolean);
      addressed(token, inline, place.anchorOf(words.slice(0, MOST_WORDS).join('-')), Token);
    });
  });
}
const MOST_WORDS = 8;

/**
 * To copy; hundreds of them are no stops of the keyboard.
 * @param {import('./markdown.mjs').Token} token @param {import('./markdown.mjs').Token | undefined} inline
 * @param {string} anchor @param {import('./markdown.mjs').State['Token']} Token
 */
function addressed(token, inline, anchor, Token) {
  token.attrSet('id', anchor);
  const open = new Token('link_open', 'a', 1);
  Object.entries({ href: `#${anchor}`, class: 'row', tabindex: '-1' }).forEach(pair => open.attrSet(...pair));
  const [word, ...more] = inline?.children ?? [];
  if (inline && word) inline.children = [open, word, new Token('link_close', 'a', -1), ...more];
}

/** Where in a page we are. */
class Place {
  part = '';
  within = '';
  isOfFields = false;
  /** @type {Set<string>} */
  taken = new Set();

  /** @param {string} tag @param {string} heading */
  enter(tag, heading) {
    const [, within] = /^`(.+)`$/.exec(heading) ?? [];
    if (tag === 'h2') this.part = slug(heading);
    this.within = within === undefined ? '' : `${within}.`;
    this.taken.add(slug(heading));
  }

  /** @param {string} name */
  anchorOf(name) {
    const full = this.isOfFields ? `${this.part}.${this.within}${name}` : name;
    const plain = full.replaceAll(/[^\w.-]/g, '').toLowerCase();
    let anchor = plain;
    for (let count = 1; this.taken.has(anchor); count += 1) anchor = `${plain}-${count}`;
    this.taken.add(anchor);
    return anchor;
  }
}
