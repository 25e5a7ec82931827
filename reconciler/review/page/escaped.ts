import { visible } from '../../report/visible';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in a page, between tags or in a quoted attribute. */
export function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, character => ENTITIES[character] ?? '');
}
