import { writeFileSync } from 'node:fs';
import type { Simulator } from '../../../simulator';
import { defaultWorld } from '../../../simulator';
import { ask } from '../../support/cluster/ask';
import { HOSTILE, LONG, busyCluster } from '../../support/cluster/busy-cluster';
import { startCluster } from '../../support/cluster/start-cluster';
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

    test('it moves as things happen, without asking again', async () => {
      await open(1280);
      const asked = (): Promise<number> => page.value('performance.getEntriesByType("resource").length');
      const before = await asked();
      await ask(cluster, 'POST', '/_sim/event', {
        json: { kind: 'edit', vmid: 10_003, set: { name: 'renamed' } },
      });
      await until(text, told => told.includes('renamed'));
      await ask(cluster, 'GET', '/cluster/nextid');
      await until(text, told => told.includes('/cluster/nextid'));
      expect(await asked()).toBe(before);
    });

    test('a task tells its log, and what is in it stays text', async () => {
      await open(390);
      await page.value(
        '[...document.querySelectorAll(".task")].find(each => each.textContent.startsWith("imgcopy")).click()',
      );
      await until(text, told => told.includes(`copying ${HOSTILE}`) && told.includes('TASK ERROR'));
      expect(await page.value('document.title')).toBe('Simulated Proxmox cluster');
    });

    test('by keyboard alone: search a guest, stop an API, set a fault and clear it', async () => {
      await open(1280);
      await tabTo('#nodes li:nth-child(3) button');
      await page.press('Enter');
      await until(
        () => cluster.world.nodes[2]!.apiUp,
        isUp => !isUp,
      );
      await until(text, told => told.includes('Start its API') && told.includes('Done: POST /_sim/node'));
      expect(await text()).toContain(
        `curl --cacert 'CA.pem' '${cluster.url}/_sim/node' -d '{"action":"api-down","node":"pve3"}'`,
      );
      await tabTo('#search');
      await page.type('guest-4');
      await until(text, told => told.includes('1 of 8 guests'));
      await tabTo('#fault input[name=text]');
      await page.value('document.activeElement.select()');
      await page.type("it's broken");
      await page.press('Enter');
      await until(
        () => cluster.faults.list().length,
        count => count === 2,
      );
      expect(await text()).toContain(String.raw`"text":"it'\''s broken"`);
      await tabTo('#faults li:nth-child(2) button');
      await page.press('Enter');
      await until(
        () => cluster.faults.list().length,
        count => count === 1,
      );
    });

    test('the clock is held, moved on and let run; the network gets slow', async () => {
      await open(390);
      const press = (selector: string): Promise<void> =>
        page.value(`document.querySelector('${selector}').click()`);
      await press('#hold');
      await until(text, told => told.includes('The clock is held.'));
      const before = cluster.sim.clock.now();
      await press('#advance button');
      await until(
        () => cluster.sim.clock.now(),
        now => now === before + 5000,
      );
      await press('#hold');
      await until(text, told => told.includes('The clock runs.'));
      await page.value('document.querySelector("#network [name=latencyMs]").value = 7');
      await press('#network button');
      await until(
        async () => (await ask(cluster, 'GET', '/_sim/network')).json.latencyMs,
        ms => ms === 7,
      );
    });

    test('ten thousand guests: a hundred are shown, the page says so, and the search finds the others', async () => {
      const large = await startCluster({ world: defaultWorld(3, 10_000) });
      try {
        await page.show(`${large.url}/_sim/`, 1280);
        await until(text, told =>
          told.includes('10,004 guests: the first 100 are shown, search for the others'),
        );
        await page.value('document.getElementById("search").focus()');
        await page.type('guest-9876');
        await until(text, told => told.includes('1 of 10,004 guests') && told.includes('19876'));
        expect(await page.value('document.querySelectorAll("#guests tr").length')).toBe(1);
      } finally {
        await large.close();
      }
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
