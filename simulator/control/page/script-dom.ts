/** The script's first part: how it makes elements. All that others said becomes text, never markup. */
export const DOM = String.raw`
'use strict';
const byId = id => document.getElementById(id);
const make = (tag, text, name) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
};
const put = (parent, ...rest) => {
  const made = make(...rest);
  parent.append(made);
  return made;
};
const setText = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const setClass = (node, name) => { if (node.className !== name) node.className = name; };
let painted = false;

// Keeps the elements of rows that stay, so that nobody loses the focus.
const keyed = (parent, rows, keyOf, create, fill) => {
  const wanted = new Set(rows.map(row => String(keyOf(row))));
  const old = new Map();
  for (const item of [...parent.children]) {
    if (wanted.has(item.dataset.key)) old.set(item.dataset.key, item);
    else item.remove();
  }
  let at = parent.firstElementChild;
  for (const row of rows) {
    const key = String(keyOf(row));
    let item = old.get(key);
    const isNew = !item;
    if (isNew) {
      item = create(row);
      item.dataset.key = key;
    }
    fill(item, row);
    if (isNew && painted) item.classList.add('fresh');
    if (item === at) at = at.nextElementSibling;
    else parent.insertBefore(item, at);
  }
};

// Of each cell: what is said before it on a narrow screen, and how it may break.
const rowOf = columns => () => {
  const row = make('tr');
  for (const [name, kind] of columns) put(row, 'td', undefined, kind).dataset.name = name;
  return row;
};

const gib = bytes => (bytes / 2 ** 30).toFixed(bytes < 10 * 2 ** 30 ? 1 : 0);
const plural = (count, one) => count.toLocaleString('en') + ' ' + one + (count === 1 ? '' : 's');
const clockText = ms => new Date(ms).toISOString().slice(11, 19);
const lasting = seconds => seconds < 60 ? seconds + ' s' : Math.floor(seconds / 60) + ' min ' + (seconds % 60) + ' s';

const copyText = async (text, button) => {
  const said = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Select it by hand';
  }
  setTimeout(() => { button.textContent = said; }, 1500);
};
document.addEventListener('click', event => {
  const button = event.target.closest('[data-copy]');
  if (button) void copyText(byId(button.dataset.copy).textContent, button);
});
`;
