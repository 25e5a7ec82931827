import { cliLab, desiredText, start } from '../../support/processes/cli';

const web = {
  id: 'web',
  node: 'pve1',
  image: { blank: true },
  power: 'running',
  restart: 'whenNeeded',
  // longer than an interrupted run waits for answers
  shutdownTimeout: '13s',
  hotplug: [],
  disks: [{ name: 'root', size: '1Gi', storage: 'local-lvm' }],
};

test.each<[NodeJS.Signals, number]>([
  ['SIGINT', 130],
  // a lost SSH session
  ['SIGHUP', 129],
])(
  'a run that is interrupted (%s) while its restart shuts the guest down starts it again before it ends',
  async (signal, exit) => {
    const lab = await cliLab();
    try {
      expect((await lab.people('reconcile', [web])).code).toBe(0);
      const changed = { ...web, cpu: { cores: 2 } };
      const running = start(['reconcile', '--spec', '-'], lab.access, desiredText([changed]));
      await running.said('web: restarting');
      const guest = lab.guests('web')[0]!;
      await lab.asked(`/nodes/pve1/qemu/${guest.vmid}/status/shutdown`);
      running.child.kill(signal);
      // bash sends one, and the system another: the second ends nothing
      if (signal === 'SIGHUP') setTimeout(() => running.child.kill(signal), 5);
      const { code, stderr } = await running.ended;
      expect(stderr).toMatch(
        /web was stopped by this run.*is started again as soon as its running tasks have ended/,
      );
      expect(stderr).toMatch(/It was started again/);
      expect({ code, runs: guest.running !== null }).toEqual({ code: exit, runs: true });
    } finally {
      await lab.close();
    }
  },
);
