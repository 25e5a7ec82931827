import { sendRaw } from '../../support/api/raw-client';
import { ask, askToEnd, authorizationOf } from '../../support/cluster/ask';
import { recordedWorld } from '../../support/cluster/recorded-world';
import { TOKEN, startCluster } from '../../support/cluster/start-cluster';

const CONFIG = '/nodes/pve1/qemu/100/config';

// PVE: Encode::decode puts the replacement character in the place of each byte that is no UTF-8
it.each([
  ['description=caf%E9', 'caf\uFFFD'],
  ['description=%FF%FEx', '\uFFFD\uFFFDx'],
  ['description=caf%C3%A9', 'café'],
])('a description of other bytes than UTF-8: %s', async (body, stored) => {
  const simulator = await startCluster({ world: recordedWorld() });
  try {
    await askToEnd(simulator, 'POST', '/nodes/pve1/qemu', { form: { vmid: '100', memory: '64' } });
    const headers = {
      authorization: authorizationOf(TOKEN),
      'content-type': 'application/x-www-form-urlencoded',
    };
    const request = { method: 'PUT', path: CONFIG, headers, body };
    expect((await sendRaw(`${simulator.url}/api2/json`, request)).status).toBe(200);
    expect((await ask(simulator, 'GET', CONFIG)).json.data.description).toBe(stored);
  } finally {
    await simulator.close();
  }
});
