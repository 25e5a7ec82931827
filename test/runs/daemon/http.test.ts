import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { daemonLab, until, type DaemonLab, type RunningDaemon } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true } };

function statusUnder(port: number, path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, path, host: '127.0.0.1', headers: { host } }, answer => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end();
  });
}

let lab: DaemonLab;
let daemon: RunningDaemon;
beforeAll(async () => {
  lab = await daemonLab([web]);
  daemon = lab.start({}, { STATUS_ALLOWED_HOSTS: 'other.example.com, Status.Example.com' });
  await until(
    () => daemon.machine('web'),
    ({ phase }) => phase === 'Running',
  );
});
afterAll(() => lab.close());

describe('the endpoints', () => {
  test.each([
    ['HEALTH_PROBE_BIND_ADDRESS', '/healthz', 200, 'text/plain'],
    ['HEALTH_PROBE_BIND_ADDRESS', '/readyz', 200, 'text/plain'],
    ['METRICS_BIND_ADDRESS', '/metrics', 200, 'text/plain'],
    ['STATUS_BIND_ADDRESS', '/machines', 200, 'application/json'],
    ['STATUS_BIND_ADDRESS', '/machines/web', 200, 'application/json'],
    ['STATUS_BIND_ADDRESS', '/', 200, 'text/html'],
    ['STATUS_BIND_ADDRESS', '/machines/nobody', 404, 'text/plain'],
    ['STATUS_BIND_ADDRESS', '/machines/%E0%A4%A', 404, 'text/plain'],
    ['STATUS_BIND_ADDRESS', '/../etc/passwd', 404, 'text/plain'],
    ['METRICS_BIND_ADDRESS', '/machines', 404, 'text/plain'],
    ['HEALTH_PROBE_BIND_ADDRESS', '/metrics', 404, 'text/plain'],
  ])('%s %s: %i', async (variable, path, status, type) => {
    const answer = await daemon.get(variable, path);
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status,
      type: expect.stringContaining(type),
    });
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    '%s is refused, and nothing is written',
    async method => {
      const before = lab.writes().length;
      const answer = await daemon.get('STATUS_BIND_ADDRESS', '/machines/web', { method });
      expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({
        status: 405,
        allow: 'GET, HEAD',
      });
      expect(answer.text).toContain('takes GET and HEAD only');
      expect(lab.writes()).toHaveLength(before);
    },
  );

  test.each([
    ['evil.example.com', 421],
    ['evil.example.com:8082', 421],
    ['127.0.0.1.evil.example.com', 421],
    ['localhost.evil.example.com', 421],
    ['localhost', 200],
    ['LOCALHOST.:1', 200],
    ['pages.localhost', 200],
    ['192.0.2.7:8082', 200],
    ['[::1]:8082', 200],
    ['status.example.com', 200],
  ])('the status is told under known names only: %p: %i', async (host, status) => {
    const { port } = new URL(await daemon.addressOf('STATUS_BIND_ADDRESS'));
    for (const path of ['/', '/machines', '/machines/web'])
      expect(await statusUnder(Number(port), path, host)).toBe(status);
  });

  test('probes and metrics are asked for by addresses and by names that nobody tells us', async () => {
    for (const [variable, path] of [
      ['HEALTH_PROBE_BIND_ADDRESS', '/healthz'],
      ['METRICS_BIND_ADDRESS', '/metrics'],
    ] as const) {
      const { port } = new URL(await daemon.addressOf(variable));
      expect(await statusUnder(Number(port), path, 'reconciler.monitoring.svc')).toBe(200);
    }
  });

  test('/machines/web tells the status of the machine', async () => {
    expect(await daemon.machine('web')).toMatchObject({
      machine: 'web',
      owner: 'team/lab',
      cluster: 'lab',
      phase: 'Running',
      node: 'pve1',
      vmid: expect.any(Number),
      conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]),
      ipAddresses: [],
      lastUpdated: expect.any(String),
    });
  });

  test('/machines tells of the nodes too', async () => {
    const told = JSON.parse((await daemon.get('STATUS_BIND_ADDRESS', '/machines')).text) as object;
    expect(told).toMatchObject({
      clusters: [{ name: 'lab', ready: true, nodes: expect.any(Array), orphans: [] }],
      machines: [{ machine: 'web' }],
    });
  });
});

describe('the metrics that dashboards have, by the table of the requirements', () => {
  test.each([
    ['gauge', 'proxmox_operator_machines_total', /\{phase="Running",node="pve1"\} 1$/m],
    ['histogram', 'proxmox_operator_reconciliation_duration_seconds', /_count\{controller="machine"\} \d+/],
    [
      'counter',
      'proxmox_operator_api_requests_total',
      /\{method="GET",endpoint="\/nodes\/\{node\}\/qemu\/\{vmid\}\/\w+",status="200"\} \d+/,
    ],
    ['counter', 'proxmox_operator_errors_total', /\{error_type="unauthenticated",controller="cluster"\} 0$/m],
    ['gauge', 'proxmox_cluster_nodes_available', /\{cluster="lab"\} 3$/m],
    ['gauge', 'proxmox_cluster_connection_status', /\{cluster="lab"\} 1$/m],
    ['histogram', 'proxmox_operator_task_duration_seconds', /_count\{action="create"\} 1$/m],
    ['gauge', 'proxmox_operator_pending_restarts', / 0$/m],
    ['gauge', 'proxmox_operator_queue_depth', / \d+$/m],
    ['gauge', 'proxmox_operator_orphans', /\{cluster="lab"\} 0$/m],
    ['gauge', 'proxmox_operator_sources_good', / 1$/m],
    ['gauge', 'proxmox_operator_at_work', /\{lease=""\} 1$/m],
    ['gauge', 'process_resident_memory_bytes', / \d+/],
  ])('%s %s', async (type, name, line) => {
    const text = await daemon.metrics();
    expect(text).toContain(`# TYPE ${name} ${type}\n`);
    expect(text).toMatch(line);
  });

  test('no label holds an id of a guest', async () => {
    expect(await daemon.metrics()).not.toMatch(/endpoint="[^"]*\d{3}/);
  });
});

describe('clients that do not behave', () => {
  const raw = async (text: string): Promise<string> => {
    const { hostname, port } = new URL(await daemon.addressOf('STATUS_BIND_ADDRESS'));
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', data => (answer += data.toString()));
    socket.on('error', () => undefined);
    const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
    socket.write(text);
    await closed;
    return answer;
  };

  test('a header that is too large: 431', async () => {
    expect(await raw(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431/,
    );
  });

  test('no HTTP: 400', async () => {
    expect(await raw('hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
  });

  test('a request that never ends is ended: 408', async () => {
    expect(await raw('GET / HTTP/1.1\r\nhost: x\r\n')).toMatch(/^HTTP\/1.1 408/);
  });

  test('1,000 idle connections: the probes answer all the same, and the daemon lets them go', async () => {
    const { hostname, port } = new URL(await daemon.addressOf('HEALTH_PROBE_BIND_ADDRESS'));
    let open = 0;
    const sockets = await Promise.all(
      Array.from(
        { length: 1_000 },
        () =>
          new Promise<Socket>(resolve => {
            const socket = connect(Number(port), hostname, () => {
              open += 1;
              resolve(socket);
            });
            socket.on('error', () => undefined);
            socket.on('close', () => (open -= 1));
            socket.resume();
          }),
      ),
    );
    expect((await daemon.ready()).status).toBe(200);
    await until(
      () => open,
      count => count === 0,
    );
    sockets.forEach(socket => socket.destroy());
  });
});
