import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pair } from '../../../scripts/pictures/pair.mjs';
import { root } from '../../repository/copied-tree';
import { administratorOf } from '../../support/cluster/administrator';
import { daemonLab, until, type DaemonLab } from '../../support/daemon/daemon-lab';
import { browserPage } from '../../support/processes/browser-page';
import { noChromium } from '../../support/processes/chromium';
import { skipped } from '../../support/skipped';

const SCRIPT = '<script>document.title="owned"</script>';
const LONG = `registry.example.com/${'a-very-long-word'.repeat(12)}`;
const web = { id: 'web', node: 'pve1', image: { blank: true }, memory: '1Gi' };
const broken = {
  id: 'broken',
  node: 'pve2',
  image: { blank: true },
  networks: [{ name: 'lan', bridge: 'vmbr9' }],
};

const reason = noChromium();
if (reason) skipped('the page of the fleet', reason);
else
  describe('the page of the fleet, in a browser', () => {
    let lab: DaemonLab;
    let page: Awaited<ReturnType<typeof browserPage>>;
    let address: string;
    let daemon: ReturnType<DaemonLab['start']>;
    beforeAll(async () => {
      lab = await daemonLab([web, { ...broken, description: `${SCRIPT} ${LONG}` }]);
      daemon = lab.start();
      await until(
        () => daemon.machine('web'),
        ({ phase }) => phase === 'Running',
      );
      address = await daemon.addressOf('STATUS_BIND_ADDRESS');
      page = await browserPage();
    });
    afterAll(async () => {
      await page.close();
      await lab.close();
    });

    const text = (): Promise<string> => page.value('document.body.innerText');
    const shows = (part: string): Promise<string> => until(text, seen => seen.includes(part));

    test.each([1280, 390])(
      'at %i pixels: nodes, machines, phases and errors, and nothing beside the window',
      async width => {
        await page.show(`${address}/`, width);
        const seen = await shows('broken');
        expect(seen).not.toContain('differed at');
        for (const part of [
          'lab / pve1',
          'web',
          'Running',
          'online',
          'broken',
          'Error',
          "bridge 'vmbr9' not found",
        ])
          expect(seen).toContain(part);
        expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        if (process.env['PICTURES'])
          writeFileSync(join(process.env['PICTURES'], `page-${width}.png`), await page.picture());
      },
    );

    if (process.env['PICTURES'])
      test('its picture for the docs', async () => {
        const [width, looks] = [860, ['light', 'dark'] as const];
        await page.show(`${address}/`, width);
        await shows('Error');
        const height = await page.value<number>(
          'Math.ceil(document.body.getBoundingClientRect().bottom) + 12',
        );
        const taken: Buffer[] = [];
        for (const look of looks) {
          await page.prefer(look);
          taken.push(await page.picture(width, height));
        }
        const says = "The daemon's page: each node with its machines, one that runs, and one with its error.";
        const file = join(root, 'docs', 'pictures', 'daemon.svg');
        writeFileSync(file, pair({ width, height, says }, taken[0]!, taken[1]!));
      });

    test('it updates itself: drift that was brought back, a machine that came, a cluster that is lost', async () => {
      await page.show(`${address}/`, 1280);
      await shows('web');
      const { vmid } = lab.guests('web')[0]!;
      await administratorOf(lab)('PUT', `/nodes/pve1/qemu/${vmid}/config`, { memory: '2048' });
      await shows('differed at');
      lab.want([web, { ...web, id: 'later' }]);
      await shows('later');
      lab.simulator.faults.add({ path: '/**', effect: { kind: 'reset', work: 'not-done' } });
      await shows('lab: ');
      if (process.env['PICTURES'])
        writeFileSync(join(process.env['PICTURES'], 'page-lost.png'), await page.picture());
      lab.simulator.faults.clear();
    });

    test('what Proxmox and documents say is text, never markup', async () => {
      expect(await page.value('document.title')).toBe('pve-reconciler');
      expect(await page.value('document.scripts.length')).toBe(1);
    });
  });
