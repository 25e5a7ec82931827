import type { HandlerTable } from '../../cluster/call';

/** The services of a node: all run. */
export const nodeServiceHandlers: HandlerTable = {
  'GET /nodes/{node}/services': () => SERVICES.map(service),
  'GET /nodes/{node}/services/{service}': () => COMMANDS.map(subdir => ({ subdir })),
  'GET /nodes/{node}/services/{service}/state': ({ params }) => service(params['service'] ?? ''),
};

const COMMANDS = ['state', 'start', 'stop', 'restart', 'reload'];

const SERVICES = [
  'corosync',
  'cron',
  'pve-cluster',
  'pve-firewall',
  'pve-ha-crm',
  'pve-ha-lrm',
  'pvedaemon',
  'pveproxy',
  'pvescheduler',
  'pvestatd',
  'spiceproxy',
  'sshd',
  'syslog',
];

function service(name: string): Record<string, string> {
  return {
    service: name,
    name,
    desc: name,
    state: 'running',
    'active-state': 'active',
    'unit-state': 'enabled',
  };
}
