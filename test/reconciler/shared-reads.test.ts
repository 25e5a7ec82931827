import { SharedReading } from '../../reconciler/observe/shared-reads';

/** A reading that is answered when the test says so; its values are 1, 2, … */
function readings(gatherMs = 0, holdsUpMs?: number) {
  const answers: { tell: (value: number) => void; fail: (error: Error) => void }[] = [];
  let time = 0;
  const read = (): Promise<number> =>
    new Promise((resolve, reject) => void answers.push({ tell: resolve, fail: reject }));
  const pause = (ms: number): Promise<void> => Promise.resolve(void (time += ms));
  const shared = new SharedReading(read, {
    ...{ gatherMs, clock: () => time, pause },
    ...(holdsUpMs !== undefined && { holdsUpMs }),
  });
  /** Lets what was asked begin. */
  const begun = async (count: number): Promise<void> => {
    while (answers.length < count) await Promise.resolve();
  };
  return { answers, shared, begun, pass: (ms: number) => (time += ms), now: () => time };
}

it('gives who asks while a reading is under way one that begins later, the same to all of them', async () => {
  const { answers, shared, begun } = readings();
  const first = shared.now();
  await begun(1);
  const [second, third] = [shared.now(), shared.now()];
  answers[0]!.tell(1);
  expect(await first).toBe(1);
  await begun(2);
  answers[1]!.tell(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  expect(answers).toHaveLength(2);
});

it('serves who only looks for something with a reading that began a second ago at most', async () => {
  const { answers, shared, begun, pass } = readings();
  const first = shared.recent();
  await begun(1);
  pass(1_000);
  const second = shared.recent();
  answers[0]!.tell(1);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  pass(1);
  const third = shared.recent();
  await begun(2);
  answers[1]!.tell(2);
  expect(await third).toBe(2);
});

it('serves nobody with a failure of before', async () => {
  const { answers, shared, begun } = readings();
  const first = shared.recent();
  await begun(1);
  answers[0]!.fail(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  const second = shared.recent();
  await begun(2);
  answers[1]!.tell(2);
  expect(await second).toBe(2);
});

it('serves who names a time with the last reading where it began then or later', async () => {
  const { answers, shared, begun, pass } = readings();
  const first = shared.now();
  await begun(1);
  answers[0]!.tell(1);
  await first;
  expect(await shared.since(0)).toBe(1);
  pass(1);
  const second = shared.since(1);
  await begun(2);
  answers[1]!.tell(2);
  expect(await second).toBe(2);
});

it('lets who can wait a moment share a reading with those that ask in it, where several are at work', async () => {
  const { answers, shared, begun, pass, now } = readings(30);
  const first = shared.soon();
  await begun(1);
  // nobody else was there
  expect(now()).toBe(0);
  answers[0]!.tell(1);
  expect(await first).toBe(1);
  pass(100);
  const [second, third] = [shared.soon(), shared.soon()];
  await begun(2);
  expect(now()).toBeGreaterThanOrEqual(130);
  answers[1]!.tell(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  expect(answers).toHaveLength(2);
  pass(1_000);
  const asked = now();
  const fourth = shared.soon();
  await begun(3);
  expect(now()).toBe(asked);
  answers[2]!.tell(3);
  expect(await fourth).toBe(3);
});

it('serves nobody with a reading whose answer is overdue, however old it may be', async () => {
  const { answers, shared, begun, pass } = readings(0, 5);
  const first = shared.recent();
  await begun(1);
  pass(5);
  const second = shared.recent(15_000);
  pass(1);
  expect(shared.lastSince(0)).toBeUndefined();
  const third = shared.recent(15_000);
  while (answers.length < 2) await new Promise(setImmediate);
  answers[1]!.tell(2);
  expect(await third).toBe(2);
  answers[0]!.tell(1);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
});

it('waits for a reading without an answer no longer than so, and then begins the next one', async () => {
  const { answers, shared, begun } = readings(0, 1);
  const first = shared.now();
  await begun(1);
  const second = shared.now();
  while (answers.length < 2) await new Promise(setImmediate);
  answers[1]!.tell(2);
  expect(await second).toBe(2);
  answers[0]!.fail(new Error('given up'));
  await expect(first).rejects.toThrow('given up');
  expect(await shared.since(0)).toBe(2);
});
