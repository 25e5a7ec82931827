import { SharedReading } from '../../reconciler/observe/shared-reading';

/** A reading that is answered when the test says so; its values are 1, 2, … */
function readings() {
  const answers: { tell: (value: number) => void; fail: (error: Error) => void }[] = [];
  let time = 0;
  const read = (): Promise<number> =>
    new Promise((resolve, reject) => void answers.push({ tell: resolve, fail: reject }));
  const shared = new SharedReading(read, () => time);
  /** Lets what was asked begin. */
  const begun = async (count: number): Promise<void> => {
    while (answers.length < count) await Promise.resolve();
  };
  return { answers, shared, begun, pass: (ms: number) => (time += ms) };
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
