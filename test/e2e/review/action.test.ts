import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BOT } from '../../support/review-action/fake-github';
import { act, folder, github, plan, root, SHA, web } from '../../support/review-action/stage';

test('the first review makes a comment, the next one changes it: one comment for each stack', async () => {
  const first = await web('create');
  expect(first).toMatchObject({
    code: 0,
    gate: 0,
    outputs: { changes: '2', 'comment-url': github.comments[0]!.html_url },
  });
  expect(github.comments[0]!.body).toContain('| **web** | create |');
  expect(first.summary).toBe(`${github.comments[0]!.body}\n`);
  expect(readFileSync(first.outputs['page']!, 'utf8')).toContain('<!doctype html>');
  await act({ stack: 'db', plan: plan('destroy') });
  await web('replace');
  expect(github.comments.map(({ body }) => /\| (create|destroy|rebuild) \|/.exec(body)?.[1])).toEqual([
    'rebuild',
    'destroy',
  ]);
});

/** A plan in which no machine changes, with these actions for a database beside. */
function planOf(...actions: string[]): string {
  const read = JSON.parse(readFileSync(plan('module-moved'), 'utf8')) as {
    resource_changes: { change: object }[];
  };
  for (const { change } of read.resource_changes) Object.assign(change, { actions: ['no-op'] });
  const database = { type: 'aws_db_instance', name: 'db', mode: 'managed', address: 'aws_db_instance.db' };
  const change = { actions, before: {}, after: {} };
  const file = path.join(folder, 'quiet.json');
  const all = [...read.resource_changes, { ...read.resource_changes[0], ...database, change }];
  writeFileSync(file, JSON.stringify({ ...read, resource_changes: all }));
  return file;
}

test('where nothing changes the comment is folded, with its commit', async () => {
  await web('create', {}, { GITHUB_SHA: SHA });
  expect(github.comments[0]!.body).toMatch(/^<!--.*-->\n\n### web, commit 0123456789ab\n/);
  const { outputs } = await act({ stack: 'web', plan: planOf('no-op') }, { GITHUB_SHA: SHA });
  expect(outputs['changes']).toBe('0');
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]!.body).toMatch(
    /^<!--.*-->\n\n<details><summary><b>web, commit 0123456789ab<\/b>: nothing changes<\/summary>/,
  );
  expect(github.comments[0]!.body.match(/<details>/g)).toHaveLength(1);
});

test.each([['create'], ['delete'], ['delete', 'create'], ['update'], ['forget']])(
  'a plan of which only something else changes is not folded: %s',
  async (...actions) => {
    const { outputs } = await act({ stack: 'web', plan: planOf(...actions) }, { GITHUB_SHA: '' });
    expect(outputs['changes']).toBe('0');
    expect(github.comments[0]!.body).toMatch(/^<!--.*-->\n\n### web\n\n\*\*No machine changes\.\*\*/);
    expect(github.comments[0]!.body).not.toContain('nothing changes');
  },
);

test.each([
  ['refused', 'owner', '0'],
  ['not in the plan', 'target', '1'],
])('machines that are %s count as no change, and the comment is not folded', async (_, name, changes) => {
  expect((await web(name)).outputs['changes']).toBe(changes);
  expect(github.comments[0]!.body).toMatch(/^<!--.*-->\n\n### web\n/);
});

test('the program that reads the plan gets no token', async () => {
  const [program, told] = ['program.cjs', 'told.json'].map(name => path.join(folder, name));
  const dist = JSON.stringify(path.join(root, 'dist', 'reconciler.cjs'));
  writeFileSync(
    program!,
    `require('fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.env)); require(${dist});`,
  );
  const more = {
    REVIEW_PROGRAM: program!,
    REVIEW_TOKEN: 'secret',
    ACTIONS_RUNTIME_TOKEN: 'secret',
    GITHUB_SHA: SHA,
  };
  expect(await act({ stack: 'web', plan: plan('create') }, more)).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(told!, 'utf8'))).toMatchObject({ GITHUB_SHA: SHA });
  expect(readFileSync(told!, 'utf8')).not.toMatch(/secret|GITHUB_(OUTPUT|ENV|PATH)|NODE_OPTIONS/);
});

test('what is destroyed fails the job where fail-on names it, and the comment is there all the same', async () => {
  const { code, gate: ended, out } = await web('destroy', { 'fail-on': 'destroy' });
  expect({ code, ended }).toEqual({ code: 0, ended: 1 });
  expect(out).toContain('::error::fail-on: ');
  expect(github.comments[0]!.body).toContain('This plan is not let through');
  expect(await web('create', { 'fail-on': 'destroy' })).toMatchObject({ code: 0, gate: 0 });
});

test('a review that is longer than a comment may be is cut between lines, and says so', async () => {
  const file = path.join(folder, 'long.json');
  writeFileSync(file, JSON.stringify(longPlan(1_200)));
  const { code, out, outputs, summary } = await act({ stack: 'wide ä', plan: file });
  expect({ code, out, changes: Number(outputs['changes']) > 1_200 }).toEqual({
    code: 0,
    out: '',
    changes: true,
  });
  const [{ body } = { body: '' }] = github.comments;
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(65_536);
  expect(body.length).toBeGreaterThan(60_000);
  expect(body).toContain('This is not all of it');
  expect(body).toContain('is an artefact of [this run]');
  expect(body.match(/<details>/g)?.length).toBe(body.match(/<\/details>/g)?.length);
  expect(summary).not.toContain('This is not all of it');
});

/** A plan that creates many machines. */
function longPlan(count: number): object {
  const read = JSON.parse(readFileSync(plan('create'), 'utf8')) as {
    resource_changes: { address: string }[];
  };
  const many = Array.from({ length: count }, (_, index) =>
    read.resource_changes
      .filter(({ address }) => /machine.*web/.test(address))
      .map(
        each =>
          JSON.parse(JSON.stringify(each).replaceAll('web', `web-of-the-long-plan-${index}`)) as {
            address: string;
          },
      ),
  );
  return { ...read, resource_changes: [...read.resource_changes, ...many.flat()] };
}

test('the name of a stack is text: no markup, no mention, no second comment', async () => {
  const stack = '--><script>alert(1)</script> @everyone [x](https://x.test)\n# big';
  await act({ stack, plan: plan('create') });
  await act({ stack, plan: plan('destroy') });
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]!.body).not.toMatch(/<script>|@everyone|\]\(https:\/\/x|\n# big/);
  expect(github.comments[0]!.user.login).toBe(BOT);
});

test('without a pull request, or with comment: false, nothing is asked of GitHub', async () => {
  writeFileSync(path.join(folder, 'event.json'), '{}');
  expect(await web('create')).toMatchObject({ code: 0, outputs: { 'comment-url': '' } });
  expect(await web('create', { comment: 'false', 'pull-request': '7' })).toMatchObject({ code: 0 });
  expect(github.requests).toEqual([]);
});

test.each([
  ['a plan that is none', { plan: '/no/such/plan.json' }, {}, 'was not reviewed'],
  ['no stack', { stack: ' ' }, {}, 'the input stack is empty'],
  ['a word for a number', { 'pull-request': 'seven' }, {}, 'the input pull-request is seven'],
  ['a word of the gate that is none', { 'fail-on': 'destory' }, {}, 'destory'],
  ['no program', {}, { REVIEW_PROGRAM: '' }, 'neither cdktf-proxmox nor cdktn-proxmox is installed'],
])('%s is refused with what to do, and nothing is written', async (_, inputs, more, said) => {
  const { code, out, summary } = await act({ stack: 'web', plan: plan('create'), ...inputs }, more);
  expect({ code, out, summary }).toEqual({ code: 2, out: expect.stringContaining(said), summary: '' });
  expect(github.comments).toEqual([]);
});
