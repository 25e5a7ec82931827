import { writeFileSync } from 'node:fs';
import type { Simulator } from '../../../simulator';
import { ask } from '../../support/cluster/ask';
import { HOSTILE, LONG, busyCluster } from '../../support/cluster/busy-cluster';
import { until } from '../../support/daemon/daemon-lab';
import { browserPage } from '../../support/processes/browser-page';
import { noChromium } from '../../support/processes/chromium';
import { skipped } from '../../support/skipped';
import { axe, noSite } from '../site/built-site';

const VIEWS = [
  [1280, 'light'],
  [390, 'dark'],
  [1280, 'dark'],
  [390, 'light'],
] as const;

const reason = noChromium();
if (reason) skipped('the page of the simulator', reason);
else
  describe('the page of the simulator, in a browser', () => {
    let cluster: Simulator;
    let page: Awaited<ReturnType<typeof browserPage>>;
    const text = (): Promise<string> => page.value('document.body.innerText');
    const open = async (width: number): Promise<string> => {
      await page.show(`${cluster.url}/_sim/`, width);
      return until(text, told => told.includes('qmclone') && told.includes('Live'));
    };
    /** Goes on with the Tab key until what is found has the focus. */
    const tabTo = async (selector: string): Promise<void> => {
      const isThere = (): Promise<boolean> =>
        page.value(`document.activeElement.matches(${JSON.stringify(selector)})`);
      for (let count = 0; count < 80 && !(await isThere()); count += 1) await page.press('Tab');
      expect(await isThere()).toBe(true);
    };
    beforeAll(async () => {
      cluster = await busyCluster();
      page = await browserPage();
    });
    afterAll(async () => {
      await page.close();
      await cluster.close();
    });

    test.each(VIEWS)('at %i pixels, %s: all is there, as text, inside the window', async (width, look) => {
      await page.prefer(look);
      const seen = await open(width);
      const parts = [
        'pve1',
        'API down',
        LONG,

        '8 guests',
        'qmclone 9000',
        '2 running',
        'backup',
        'VM is locked',
      ];
      for (const part of parts) expect(seen).toContain(part);
      expect(seen).toContain(HOSTILE);
      expect(await page.value('document.title')).toBe('Simulated Proxmox cluster');
      const widest = await page.value<number>(
        'Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll("body *")].map(each => Math.ceil(each.getBoundingClientRect().right)))',
      );
      if (process.env['PICTURES'])
        writeFileSync(`${process.env['PICTURES']}/s4-${width}-${look}.png`, await page.whole());
      expect(widest).toBeLessThanOrEqual(width);
    });

    const site = noSite();
    if (site) skipped('axe on the page of the simulator', site);
    else
      test.each(VIEWS)('at %i pixels, %s: axe finds nothing', async (width, look) => {
        await page.prefer(look);
        await open(width);
        await page.value('document.querySelector(".task").click()');
        await page.value('document.getElementById("ask-permissions").click()');
        await until(text, told => told.includes('pveum role add'));
        // the marking of what is new fades
        await new Promise(resolve => setTimeout(resolve, 2000));
        await page.value(axe());
        const { violations } = await page.value<{ violations: { id: string; nodes: { html: string }[] }[] }>(
          'axe.run()',
        );
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`),
        ).toEqual([]);
      });
  });
