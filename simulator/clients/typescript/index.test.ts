// tsx --test: by PVE_SIMULATOR (a file) as a process; with CONTAINERS=1 as a container too.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { test } from 'node:test';
import { type Access, accessTo, startPveSimulator } from './index.ts';

function nodes({ url, ca, token }: Access): Promise<number> {
  const headers = { authorization: `PVEAPIToken=${token}` };
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/api2/json/nodes`, { ca, headers, agent: false }, async answer => {
      const text = (await answer.setEncoding('utf8').toArray()).join('');
      resolve(JSON.parse(text).data.length);
    });
    asked.on('error', reject).end();
  });
}

test('access to a process', { skip: process.env['PVE_SIMULATOR'] === undefined }, async () => {
  const child = spawn(process.execPath, [process.env['PVE_SIMULATOR'] ?? '', '--nodes', '2']);
  try {
    const line = String((await once(child.stdout, 'data'))[0]);
    const { url } = JSON.parse(line);
    assert.equal(await nodes(await accessTo(url, line)), 2);
    const other = JSON.stringify({ ...JSON.parse(line), fingerprint: '00:11' });
    await assert.rejects(accessTo(url, other), /its log says 00:11/);
  } finally {
    child.kill();
  }
});

test('a container', { skip: process.env['CONTAINERS'] === undefined }, async () => {
  const cluster = await startPveSimulator({ options: ['--nodes', '2'] });
  try {
    assert.equal(await nodes(cluster), 2);
  } finally {
    await cluster.stop();
  }
});
