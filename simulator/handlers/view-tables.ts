import type { HandlerTable } from '../call';
import { clusterOptionsHandlers } from './cluster-options';
import { clusterResourcesHandlers } from './cluster-resources';
import { clusterStatusHandlers } from './cluster-status';
import { clusterTasksHandlers } from './cluster-tasks';
import { firewallAliasHandlers } from './firewall-aliases';
import { firewallGroupHandlers } from './firewall-groups';
import { firewallIpSetHandlers } from './firewall-ipsets';
import { firewallOptionHandlers } from './firewall-options';
import { firewallRuleHandlers } from './firewall-rules';
import { haResourceHandlers } from './ha-resources';
import { haRuleHandlers } from './ha-rules';
import { haStatusHandlers } from './ha-status';
import { indexListHandlers } from './index-lists';
import { nodeCapabilitiesHandlers } from './node-capabilities';
import { nodeNetworkHandlers } from './node-network';
import { nodeHandlers } from './nodes';
import { poolHandlers } from './pools';

/** The endpoints of the cluster and its nodes. The lists of what lies below a route come first: others may refine them. */
export const VIEW_HANDLERS: HandlerTable = {
  ...indexListHandlers,
  ...clusterOptionsHandlers,
  ...clusterResourcesHandlers,
  ...clusterStatusHandlers,
  ...clusterTasksHandlers,
  ...firewallAliasHandlers,
  ...firewallGroupHandlers,
  ...firewallIpSetHandlers,
  ...firewallOptionHandlers,
  ...firewallRuleHandlers,
  ...haResourceHandlers,
  ...haRuleHandlers,
  ...haStatusHandlers,
  ...nodeCapabilitiesHandlers,
  ...nodeNetworkHandlers,
  ...nodeHandlers,
  ...poolHandlers,
};
