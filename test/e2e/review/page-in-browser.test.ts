import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reviewHtml } from '../../../reconciler/review/page/page';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { run } from '../../support/processes/cli';
import { chromium, noChromium } from '../../support/processes/chromium';
import { differs, planOf } from '../../support/review/plan-document';
import { skipped } from '../../support/skipped';

const LONG = `https://example.com/${'a-very-long-word'.repeat(12)}`;
const SCRIPT = '<script>console.log("owned")</script><img src=x onerror="console.log(1)">';
const COMMIT = '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567';
const change = (field: string, from: string, to: string, effect: string) => ({ field, from, to, effect });
const plan = planOf({
  calm: {},
  described: differs('live', [change('description', SCRIPT, LONG, 'live')]),
  bigger: differs('restart', [change('memory', '1Gi', '2Gi', 'restart')], { restart: 'now' }),
  moved: differs('live', [change('node', 'pve1', 'pve2', 'live')], { node: 'pve2' }),
  anew: differs('rebuild', [change('bios', 'seabios', 'ovmf', 'rebuild')]),
  stubborn: { status: 'refused', effect: 'refused', refusal: `${SCRIPT} ${LONG}` },
  fresh: {
    ...differs('create', [{ field: 'description', to: LONG, effect: 'live' }], { node: 'pve3' }),
    node: '',
  },
});

/** Shows the page in a frame of this width and writes how wide it came out, and which text and colours it has. */
function probe(page: string, width: number): string {
  const measure = `
    const frame = document.querySelector('iframe');
    frame.onload = () => {
      const { documentElement: root, body } = frame.contentDocument;
      const style = frame.contentWindow.getComputedStyle(body);
      document.title = JSON.stringify({
        inner: root.clientWidth,
        scroll: Math.max(root.scrollWidth, body.scrollWidth),
        headings: [...frame.contentDocument.querySelectorAll('h1,h2,h3,h4')].map(h => Number(h.tagName[1])),
        scripts: frame.contentDocument.querySelectorAll('script,img').length,
        text: body.innerText,
        back: style.backgroundColor,
        ink: style.color,
        heavy: [...frame.contentDocument.querySelectorAll('article')].map(card => {
          const { borderLeftWidth, backgroundColor } = frame.contentWindow.getComputedStyle(card);
          return [card.dataset.verdict, borderLeftWidth, backgroundColor].join(' ');
        }),
      });
    };
    frame.srcdoc = ${JSON.stringify(page).replaceAll('<', '\\u003c')};`;
  return `<!doctype html><title></title><iframe style="border:0;width:${width}px;height:3000px"></iframe><script>${measure}</script>`;
}

const MANY = planOf(
  Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [
      `web-${String(at).padStart(3, '0')}`,
      at % 2 === 1 ? differs('live', [change('memory', '1Gi', '2Gi', 'live')]) : {},
    ]),
  ),
);

/** Asks the filter of the page for these, and writes what it leaves. */
function filtered(page: string, verdict: string, words: string): string {
  const ask = `
    const frame = document.querySelector('iframe');
    frame.onload = () => {
      const all = query => [...frame.contentDocument.querySelectorAll(query)];
      const seen = query => all(query).filter(one => one.checkVisibility()).map(one => one.textContent.trim());
      const count = all('article').length;
      const form = frame.contentDocument.querySelector('form');
      form.verdict.value = ${JSON.stringify(verdict)};
      form.words.value = ${JSON.stringify(words)};
      form.words.dispatchEvent(new Event('input', { bubbles: true }));
      document.title = JSON.stringify({
        all: count,
        cards: seen('article h3'),
        lanes: seen('.lane a'),
        count: form.count.value,
        headings: seen('section.some h2').length,
      });
    };
    frame.srcdoc = ${JSON.stringify(page).replaceAll('<', '\\u003c')};`;
  return `<!doctype html><title></title><iframe style="width:1280px;height:3000px"></iframe><script>${ask}</script>`;
}

interface Seen {
  inner: number;
  scroll: number;
  headings: number[];
  scripts: number;
  text: string;
  back: string;
  ink: string;
  heavy: string[];
}

/** How far apart two colours are, as WCAG counts it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = (colour.match(/\d+/g) ?? []).map(Number).map(channel => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const why = noChromium();
if (why !== undefined) skipped('the page of a review in a browser', why);
else {
  describe('the page of a review in a browser', () => {
    const folder = mkdtempSync(join(tmpdir(), 'review-'));
    const page = join(folder, 'review.html');
    let html = '';
    beforeAll(async () => {
      html = (await run(['review', '--format', 'html'], { GITHUB_SHA: COMMIT }, plan)).stdout;
      writeFileSync(page, html);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test.each([
      [1280, 'light'],
      [390, 'light'],
      [1280, 'dark'],
      [390, 'dark'],
    ])('%i pixels wide, %s: nothing sticks out, the text is there and readable', (width, look) => {
      const scheme = `--blink-settings=preferredColorScheme=${look === 'dark' ? 0 : 1}`;
      const file = join(folder, 'probe.html');
      writeFileSync(file, probe(html, width));
      const { stdout } = chromium(scheme, '--window-size=1400,3000', '--dump-dom', `file://${file}`);
      const title = /<title>(.*?)<\/title>/s.exec(stdout)?.[1] ?? '';
      const seen = JSON.parse(unescaped(title)) as Seen;
      expect(seen.inner).toBe(width);
      expect(seen.scroll).toBe(width);
      expect(seen.text).toContain('<script>console.log("owned")</script>');
      expect(seen.text).toContain('1 restarts now');
      expect(seen.text).toContain(`commit ${COMMIT}`);
      const [first = '', ...others] = seen.heavy;
      expect(first).toMatch(/^rebuild [89]/);
      expect(others.every(card => / 1px /.test(card))).toBe(true);
      expect(seen.scripts).toBe(1); // the filter
      expect(seen.headings[0]).toBe(1);
      expect(seen.headings.every((level, at) => level <= (seen.headings[at - 1] ?? 0) + 1)).toBe(true);
      expect(contrast(seen.back, seen.ink)).toBeGreaterThan(7);
      expect(luminance(seen.back) > 0.5).toBe(look === 'light');
    });

    test('200 machines: the filter leaves those with a verdict and with words, here and among the nodes', () => {
      const file = join(folder, 'many.html');
      writeFileSync(file, filtered(reviewHtml(reviewPlan(MANY, 'plan.json')), 'change', 'web-19'));
      const { stdout } = chromium('--dump-dom', `file://${file}`);
      expect(JSON.parse(unescaped(/<title>(.*?)<\/title>/s.exec(stdout)?.[1] ?? ''))).toEqual({
        all: 200,
        cards: ['web-191', 'web-193', 'web-195', 'web-197', 'web-199'],
        lanes: [...new Array(2)].flatMap(() => ['web-191', 'web-193', 'web-195', 'web-197', 'web-199']),
        count: '5 of 200 machines',
        headings: 1,
      });
    });

    test('it is drawn, and says nothing on the console', () => {
      const shot = join(folder, 'shot.png');
      const { stderr } = chromium('--window-size=1280,1600', `--screenshot=${shot}`, `file://${page}`);
      expect(readFileSync(shot).subarray(1, 4).toString()).toBe('PNG');
      expect(stderr.split('\n').filter(line => line.includes('CONSOLE'))).toEqual([]);
    });
  });
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&');
}
