import { UsualTimes } from '../../../reconciler/pve/api/usual-times';

const ended = (usual: UsualTimes, kind: string, ...times: [ranMs: number, endedMs: number][]): void =>
  times.forEach(([ranMs, endedMs]) => usual.ended(kind, { ranMs, endedMs }));

test('the shortest of the last four of a kind, between when it was seen to run and to have ended', () => {
  const usual = new UsualTimes();
  expect(usual.shortest('qmstart')).toBeUndefined();
  ended(usual, 'qmstart', [100, 200], [400, 500]);
  expect(usual.shortest('qmstart')).toBe(150);
  ended(usual, 'qmstart', [400, 500], [400, 500], [600, 700]);
  expect(usual.shortest('qmstart')).toBe(450);
  expect(usual.shortest('qmclone')).toBeUndefined();
});

test('one that had ended at the first look makes the next look come sooner', () => {
  const usual = new UsualTimes();
  ended(usual, 'qmstart', [0, 500]);
  expect(usual.shortest('qmstart')).toBe(485);
});

test('a second at most, however long all have taken', () => {
  const usual = new UsualTimes();
  ended(usual, 'qmclone', [60_000, 61_000]);
  expect(usual.shortest('qmclone')).toBe(1_000);
});

test('a server that names each task a kind of its own fills no memory', () => {
  const usual = new UsualTimes();
  for (let n = 0; n < 1_000; n += 1) ended(usual, `task-${n}`, [100, 200]);
  expect((usual as unknown as { lately: Map<string, number[]> }).lately.size).toBeLessThanOrEqual(100);
});
