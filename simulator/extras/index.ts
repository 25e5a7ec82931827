import type { HandlerTable } from '../cluster/call';
import { clusterBackupInfoHandlers } from './backups/backup-info';
import { storagePruneHandlers } from './backups/prune';
import { nodeVzdumpHandlers } from './backups/vzdump';
import { qemuConsoleHandlers } from './consoles/console';
import { qemuMonitorHandlers } from './consoles/monitor';
import { lxcListHandlers } from './containers/list';
import { lxcPowerHandlers } from './containers/power';
import { lxcReadHandlers } from './containers/read';
import { firewallAliasHandlers } from './firewall/answers/aliases';
import { firewallGroupHandlers } from './firewall/answers/groups';
import { firewallIpSetHandlers } from './firewall/answers/ipsets';
import { firewallOptionHandlers } from './firewall/answers/options';
import { firewallRuleHandlers } from './firewall/answers/rules';
import { backupJobHandlers } from './jobs/backup-jobs';
import { replicationJobHandlers } from './jobs/replication-jobs';
import { nodeCapabilitiesHandlers } from './node-tools/capabilities';
import { nodeHardwareHandlers } from './node-tools/hardware';
import { nodeServiceHandlers } from './node-tools/services';
import { qemuRrdDataHandlers } from './statistics/guest';
import { nodeTrafficHandlers } from './statistics/traffic';

/**
 * What is answered beyond the life of a machine: firewall, containers, backups, jobs, statistics, consoles, tools of a node. The core
 * knows none of it, and works without it.
 */
export const EXTRAS: readonly HandlerTable[] = [
  clusterBackupInfoHandlers,
  storagePruneHandlers,
  nodeVzdumpHandlers,
  qemuConsoleHandlers,
  qemuMonitorHandlers,
  lxcListHandlers,
  lxcPowerHandlers,
  lxcReadHandlers,
  firewallAliasHandlers,
  firewallGroupHandlers,
  firewallIpSetHandlers,
  firewallOptionHandlers,
  firewallRuleHandlers,
  backupJobHandlers,
  replicationJobHandlers,
  nodeCapabilitiesHandlers,
  nodeHardwareHandlers,
  nodeServiceHandlers,
  qemuRrdDataHandlers,
  nodeTrafficHandlers,
];
