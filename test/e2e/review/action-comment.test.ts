import { act, github, plan, SHA, web } from '../../support/review-action/stage';

test('a token that may not write is told with its remedy; the summary has the review, and the gate holds', async () => {
  github.refusesWith = 403;
  const { code, gate: ended, out, summary, outputs } = await web('destroy', { 'fail-on': 'destroy' });
  expect({ code, ended, url: outputs['comment-url'] }).toEqual({ code: 0, ended: 1, url: '' });
  expect(out).toContain('pull-requests: write');
  expect(out.split('\n').filter(line => line.startsWith('::error::not ours'))).toEqual([]);
  expect(summary).toContain('| destroy |');
});

test('a comment that somebody deletes meanwhile is made anew', async () => {
  await web('create');
  github.beforeChange = () => github.comments.splice(0);
  expect(await web('destroy')).toMatchObject({ code: 0 });
  expect(github.comments.map(({ body }) => body.includes('| destroy |'))).toEqual([true]);
});

test('the comment of a later run is not written over: not by a slower run, nor by an earlier one that runs again', async () => {
  const run = (name: string, id: string, attempt = '1') =>
    act(
      { stack: 'web', plan: plan(name) },
      { GITHUB_RUN_ID: id, GITHUB_RUN_ATTEMPT: attempt, GITHUB_SHA: SHA },
    );
  await run('create', '9');
  await run('destroy', '10', '2');
  const there = github.comments[0]!;
  for (const [id, attempt] of [
    ['9', '3'],
    ['10', '1'],
  ]) {
    const { code, out, outputs, summary } = await run('replace', id!, attempt);
    expect({ code, url: outputs['comment-url'] }).toEqual({ code: 0, url: there.html_url });
    expect(out).toContain('a later run');
    expect(summary).toContain('| rebuild |');
    expect(github.comments).toEqual([{ ...there, body: expect.stringContaining('| destroy |') }]);
  }
  await run('replace', '10', '3');
  expect(github.comments.map(({ body }) => body.includes('| rebuild |'))).toEqual([true]);
});

test('a comment of the release before, without the number of a run, is written over', async () => {
  await web('create');
  github.comments[0]!.body = github.comments[0]!.body.replace(/ run=\d+ attempt=\d+/, '');
  await web('destroy');
  expect(github.comments.map(({ body }) => body.includes('| destroy |'))).toEqual([true]);
});

test.each(['breaks off', 'is no JSON'] as const)(
  'an answer that %s is told, and the gate holds',
  async fault => {
    github.answers = fault;
    const { code, gate: ended, out } = await web('destroy', { 'fail-on': 'destroy' });
    expect({ code, ended, out }).toEqual({
      ...{ code: 0, ended: 1 },
      out: expect.stringContaining('::warning::No comment was written'),
    });
  },
);

test('a comment of somebody else with our marker is not ours; ours is found on a later page', async () => {
  await web('create');
  const [ours] = github.comments.splice(0);
  for (let count = 0; count < 120; count += 1) github.add('somebody', `${ours!.body} or not`);
  github.comments.push(ours!);
  await web('destroy');
  expect(github.comments).toHaveLength(121);
  expect(github.comments.filter(({ body }) => body.includes('| destroy |'))).toEqual([ours]);
});
