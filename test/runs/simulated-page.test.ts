import { writeFileSync } from 'node:fs';
import { lab, type Lab } from '../support/cluster/lab';
import { foreignTask } from '../support/cluster/foreign-task';
import { until } from '../support/daemon/daemon-lab';
import { browserPage } from '../support/processes/browser-page';
import { noChromium } from '../support/processes/chromium';
import { skipped } from '../support/skipped';

const LONG = 'a-very-long-name'.repeat(3);

const reason = noChromium();
if (reason) skipped('the page of the simulator', reason);
else
  describe('the page of the simulator, in a browser', () => {
    let cluster: Lab;
    let page: Awaited<ReturnType<typeof browserPage>>;
    beforeAll(async () => {
      cluster = await lab();
      const [first] = Object.values(cluster.world.guests);
      first!.config['name'] = LONG;
      foreignTask(cluster.simulator, { type: 'qmclone', id: '9000', user: 'automation@pve!reconciler' });
      cluster.simulator.sim.tasks.start({ type: 'imgcopy', id: '', node: 'pve1', user: 'root@pam' }, () =>
        Promise.reject(new Error(`unable to open /var/lib/vz/import/${LONG}${LONG}.qcow2`)),
      );
      page = await browserPage();
    });
    afterAll(async () => {
      await page.close();
      await cluster.close();
    });

    test.each([1280, 390])(
      'at %i pixels: nodes, guests and tasks, and nothing beside the window',
      async width => {
        await page.show(`${cluster.simulator.url}/_sim/`, width);
        const text = (): Promise<string> => page.value('document.body.innerText');
        const seen = await until(text, told => told.includes('qmclone'));
        for (const part of ['pve1', 'online', LONG, 'qmclone 9000', 'running']) expect(seen).toContain(part);
        const widest = await page.value<number>(
          'Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll("body *")].map(each => Math.ceil(each.getBoundingClientRect().right)))',
        );
        if (process.env['PICTURES'])
          writeFileSync(`${process.env['PICTURES']}/simulator-${width}.png`, await page.picture());
        expect(widest).toBeLessThanOrEqual(width);
      },
    );
  });
