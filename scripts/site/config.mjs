import { lineAnchors, rowAnchors, slug } from './anchors.mjs';
import { addressOf, pages, table } from './pages.mjs';

const { title, says, groups } = table();
const all = pages();
/** @param {string} address */
const link = address => `/${address.replace(/(^|\/)index$/, '$1')}`;

/** A part of the side bar: the groups that these words choose, each with its pages. @param {(group: import('./pages.mjs').Group) => boolean} isChosen */
const barOf = isChosen =>
  groups
    .filter(isChosen)
    .map(({ title: text }) => ({
      text,
      items: all
        .filter(({ group }) => group === text)
        .map(page => ({ text: page.title, link: link(page.address) })),
    }))
    .filter(({ items }) => items.length > 0);

/** The pages of a folder are many: elsewhere only its first is in the side bar. */
const folders = groups.flatMap(({ folder }) => (folder === undefined ? [] : [folder]));
const short = barOf(() => true).map(({ text, items }) => ({
  text,
  items: groups.some(({ title: name, folder }) => name === text && folder !== undefined)
    ? items.slice(0, 1)
    : items,
}));
const sidebar = {
  ...Object.fromEntries(
    folders.map(folder => [`/${addressOf(`${folder}/`)}`, barOf(group => group.folder === folder)]),
  ),
  '/': short,
};

/** What VitePress is told. */
export default {
  title,
  description: says,
  lang: 'en',
  base: process.env.SITE_BASE ?? '/',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'cache',
  srcExclude: ['public/**'],
  metaChunk: true,
  markdown: {
    // Of those that come with it, the two whose colours everybody can read.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slug },
    // A `{ … }` at the end of a line is text here.
    attrs: { disable: true },
    /** @param {import('./markdown.mjs').Markdown} md */
    config: md => {
      rowAnchors(md);
      lineAnchors(md);
    },
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Start', link: '/getting-started' },
      { text: 'Fields', link: '/model' },
      { text: 'Errors', link: '/errors' },
      { text: 'Changes', link: '/changelog' },
    ],
    outline: [2, 3],
    search: {
      provider: 'local',
      // Who searches has an error, or wants a page to read: lists of all there is, and decisions, come after.
      options: {
        miniSearch: {
          searchOptions: {
            boostDocument: (/** @type {string} */ id) =>
              /^\/(errors|messages|troubleshooting)/.test(id)
                ? 2
                : /^\/(api|changelog|every-message|adr\/)/.test(id)
                  ? 0.4
                  : 1,
          },
        },
      },
    },
    docFooter: { prev: 'Previous page', next: 'Next page' },
  },
};
