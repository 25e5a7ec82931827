import { marked, writes } from '../../support/cluster/end-state';
import { numbersBelow } from '../../support/in-parallel';
import { sharedLab, small, until } from '../../support/processes/shared-lab';

const ids = numbersBelow(10).map(index => `m${index}`);

test('an interrupt of ten at once ends each at a safe point, and nothing runs on', async () => {
  const lab = await sharedLab({ taskMs: 60_000 });
  try {
    const runs = ids.map(id => lab.apply(small(id)));
    await Promise.all(runs.map(({ said }, index) => said(`${ids[index]}: creating`)));
    runs.forEach(({ child }) => child.kill('SIGINT'));
    const ended = await Promise.all(runs.map(each => each.ended));
    expect(ended.filter(({ code }) => code !== 130)).toEqual([]);
    ended.forEach(({ stderr }, index) => {
      expect(stderr).toContain(`SIGINT: nothing more is started; under way in Proxmox:\n`);
      expect(stderr).toContain(`${ids[index]}: `);
    });
    const sent = writes(lab.simulator).length;
    await until(() => lab.workers().length === 0);
    expect(writes(lab.simulator).length).toBe(sent);
    expect(lab.files()).toEqual([]);
  } finally {
    await lab.close();
  }
});

test('an interrupt of one ends that one, and no other', async () => {
  const lab = await sharedLab({ taskMs: 1_500 });
  try {
    const [one, other] = [lab.apply(small('a')), lab.apply(small('b'))];
    await Promise.all([one.said('a: creating'), other.said('b: creating')]);
    one.child.kill('SIGTERM');
    expect((await one.ended).code).toBe(143);
    expect((await other.ended).code).toBe(0);
    // what Proxmox was told goes on there, and the next run finds it
    expect((await lab.apply(small('a')).ended).code).toBe(0);
    expect(['a', 'b'].map(id => marked(lab.world, id).length)).toEqual([1, 1]);
  } finally {
    await lab.close();
  }
});

test('a worker that hangs is ended by the client that started it, and each client does its job itself', async () => {
  const lab = await sharedLab({ taskMs: 2_000 });
  try {
    const runs = ['a', 'b', 'c'].map(id => lab.apply(small(id)));
    await Promise.all(runs.map(({ said }, index) => said(`${['a', 'b', 'c'][index]}: creating`)));
    const stopped = lab.workers();
    stopped.forEach(pid => process.kill(pid, 'SIGSTOP'));
    const ended = await Promise.all(runs.map(each => each.ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(ended[0]?.stderr).toContain('This run begins again, alone.');
    expect(['a', 'b', 'c'].map(id => marked(lab.world, id).length)).toEqual([1, 1, 1]);
    await until(() => !lab.workers().some(pid => stopped.includes(pid)));
    await until(() => lab.workers().length === 0);
    expect(lab.files()).toEqual([]);
  } finally {
    await lab.close();
  }
});
