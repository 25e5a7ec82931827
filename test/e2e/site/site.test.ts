import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAILURES } from '../../../reconciler/pve/answers/failure-decisions';
import { until } from '../../support/daemon/daemon-lab';
import { browserPage } from '../../support/processes/browser-page';
import { noChromium } from '../../support/processes/chromium';
import { EVERY } from '../../support/turns';
import { skipped } from '../../support/skipped';
import { axe, buildSite, builtPages, isBuilt, noSite, servedSite } from './built-site';

const FIVE = ['index', 'getting-started', 'review', 'model', 'errors'];
const WIDTHS = [1280, 390];
const VIEWS = [
  [1280, 'light'],
  [390, 'dark'],
  [1280, 'dark'],
  [390, 'light'],
] as const;
const RUNS = FIVE.flatMap(page => VIEWS.slice(0, EVERY ? 4 : 2).map(view => [page, ...view] as const));

const site = noSite();
const browser = noChromium();
if (site) skipped('the docs site', site);
else
  describe('the docs site', () => {
    beforeAll(buildSite);

    test('each link of each page leads to a page, a file or an anchor that is there', () => {
      const pages = builtPages();
      const anchors = new Map(
        [...pages].map(([address, html]) => [
          address,
          new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
        ]),
      );
      const broken = [...pages].flatMap(([address, html]) =>
        [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)]
          .map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), `http://site${address}`))
          .filter(({ host }) => host === 'site')
          .filter(({ pathname, hash }) => {
            const file = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
            if (hash === '' || hash === '#VPContent') return !isBuilt(file);
            return !anchors.get(file)?.has(decodeURIComponent(hash.slice(1)));
          })
          .map(({ pathname, hash }) => `${address}: ${pathname}${hash}`),
      );
      expect(pages.size).toBeGreaterThan(50);
      expect([...new Set(broken)]).toEqual([]);
    });

    test('each kind of error, each refusal and each field has an address', () => {
      const [errors = '', model = ''] = ['/errors.html', '/model.html'].map(page => builtPages().get(page));
      const kinds = [...Object.keys(FAILURES), 'kept-volumes', 'lost-mark', 'TaskError'];
      const addresses = kinds.map(kind => `id="${kind.toLowerCase()}"`);
      expect(addresses.filter(address => !errors.includes(address))).toEqual([]);
      for (const field of ['machine.memory', 'machine.cpu.cores', 'machine.disks.size', 'cluster.name'])
        expect(model).toContain(`id="${field}"`);
    });

    test('each line of a message has an address', () => {
      const html = builtPages().get('/every-message.html') ?? '';
      const lines = [...html.matchAll(/<li[^>]*>(?:<a[^>]*>)?<code>/g)].map(([line]) => line);
      expect(lines.length).toBeGreaterThan(1500);
      expect(lines.filter(line => !line.startsWith('<li id="'))).toEqual([]);
    });

    test('it asks no other server for anything', () => {
      const asked = [...builtPages().values()].flatMap(html =>
        [...html.matchAll(/<(?:script|link|img|source)[^>]+(?:src|href|srcset)="(https?:[^"]+)"/g)].map(
          ([, from]) => from,
        ),
      );
      expect(asked).toEqual([]);
    });

    if (browser) skipped('in a browser', browser);
    else
      describe('in a browser', () => {
        let server: Awaited<ReturnType<typeof servedSite>>;
        let page: Awaited<ReturnType<typeof browserPage>>;
        beforeAll(async () => {
          server = await servedSite();
          page = await browserPage();
        });
        afterAll(async () => {
          await page.close();
          await server.close();
        });

        test.each(RUNS)(
          '%s at %i pixels, %s: axe finds nothing, and nothing sticks out',
          async (name, width, look) => {
            await page.prefer(look);
            await page.show(`${server.address}/${name}.html`, width);
            await page.value(axe());
            const { violations } = await page.value<{
              violations: { id: string; nodes: { html: string }[] }[];
            }>('axe.run()');
            if (process.env['PICTURES'])
              writeFileSync(
                join(process.env['PICTURES'], `${name}-${width}-${look}.png`),
                await page.picture(),
              );
            expect(await page.value("document.documentElement.classList.contains('dark')")).toBe(
              look === 'dark',
            );
            expect(
              violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`),
            ).toEqual([]);
            expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
          },
        );

        test.each(WIDTHS)(
          'at %i pixels the keyboard reaches the search, and the search its answer',
          async width => {
            await page.show(`${server.address}/index.html`, width);
            const focused = (): Promise<string> =>
              page.value(
                'document.activeElement.closest("#local-search") ? "search" : document.activeElement.tagName',
              );
            for (let count = 0; count < 10 && (await focused()) !== 'search'; count += 1)
              await page.press('Tab');
            expect(await focused()).toBe('search');
            await page.press('Enter');
            await until(
              () => page.value<string>('document.activeElement.id'),
              id => id === 'localsearch-input',
            );
            await page.type('quorum');
            await until(
              () =>
                page.value<number>('document.querySelectorAll("#localsearch-list [role=option] a").length'),
              count => count > 0,
            );
            if (process.env['PICTURES'])
              writeFileSync(join(process.env['PICTURES'], `search-${width}.png`), await page.picture());
            await page.press('Enter');
            const found = await until(
              () =>
                page.value<string>('`${location.pathname} ${document.querySelector(".VPDoc").innerText}`'),
              text => !/^\/(index.html)? /.test(text) && /quorum/i.test(text),
            );
            expect(found).toMatch(/^\/\w/);
          },
        );
      });
  });
