import type { Reply } from '../../wire/reply';
import { HTML } from './html';
import { ACT } from './script-act';
import { DOM } from './script-dom';
import { FOLLOW } from './script-follow';
import { WATCH } from './script-watch';
import { STYLE } from './style';

/** Nothing from elsewhere, nothing inline, in no frame. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

const file = (type: string, body: string): Reply => ({
  status: 200,
  reason: 'OK',
  body,
  type: `${type};charset=UTF-8`,
  headers: HEADERS,
});

/** What the browser loads, by the path below /_sim. */
export const PAGE_FILES: Readonly<Record<string, Reply>> = {
  '': file('text/html', HTML),
  '/page.css': file('text/css', STYLE),
  '/page.js': file('text/javascript', DOM + WATCH + ACT + FOLLOW),
};
