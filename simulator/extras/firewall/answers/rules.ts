import type { Call, HandlerTable } from '../../../cluster/call';
import { fail, failParameters } from '../../../failure';
import {
  FIREWALLS,
  NODE_FIREWALL,
  forEach,
  changeFirewall,
  checkEntries,
  digestOfEntries,
  firewallOf,
  namesOf,
} from '../file';
import { verifyRule } from '../rule';
import type { Config, Firewall } from '../../../world';

const PROPERTIES = [
  'action',
  'comment',
  'dest',
  'dport',
  'enable',
  'icmp-type',
  'iface',
  'log',
  'macro',
  'proto',
  'source',
  'sport',
  'type',
];
const NUMBERS = ['enable', 'ipversion'];

export const firewallRuleHandlers: HandlerTable = {
  ...forEach(
    [...FIREWALLS, NODE_FIREWALL].map(firewall => `${firewall}/rules`),
    rulesAt,
  ),
  ...rulesAt('/cluster/firewall/groups/{group}'),
};

function rulesAt(path: string): HandlerTable {
  return {
    [`GET ${path}`]: call => {
      const { rules } = ruleListOf(call);
      const digest = digestOfEntries(rules);
      return rules.map((rule, pos) => ({ ...shown(rule), pos, digest }));
    },
    [`GET ${path}/{pos}`]: call => {
      const { rules } = ruleListOf(call);
      // the position comes back as it was sent: text (recording c3, step 15)
      return { ...shown(ruleAt(rules, call)), pos: call.params['pos'], digest: digestOfEntries(rules) };
    },
    [`POST ${path}`]: call => changeFirewall(call, firewall => insertRule(call, firewall)),
    [`PUT ${path}/{pos}`]: call => changeFirewall(call, firewall => changeRule(call, firewall)),
    [`DELETE ${path}/{pos}`]: call =>
      changeFirewall(call, firewall => {
        const { rules } = ruleListOf(call, firewall);
        checkEntries(call.params['digest'], rules);
        rules.splice(rules.indexOf(ruleAt(rules, call)), 1);
      }),
  };
}

/** Whose rules the call means: the firewall's own, or a security group's. */
function ruleListOf(call: Call, firewall = firewallOf(call)): { rules: Config[] } {
  const { group } = call.params;
  if (group === undefined) return firewall;
  return firewall.groups?.[group] ?? fail(`no such security group '${group}'`);
}

function insertRule(call: Call, firewall: Firewall): void {
  const list = ruleListOf(call, firewall);
  const rule: Config = {};
  copyData(rule, call.params);
  verifyRule(call, rule, firewall);
  // a rule is off unless it says otherwise, and goes to the front (behaviour.md §10, §13.11)
  rule['enable'] ??= '0';
  list.rules.unshift(rule);
}

function changeRule(call: Call, firewall: Firewall): void {
  const list = ruleListOf(call, firewall);
  const { moveto, digest, delete: gone } = call.params;
  checkEntries(digest, list.rules);
  const rule = ruleAt(list.rules, call);
  if (moveto !== undefined && moveto !== call.params['pos']) {
    list.rules = moved(list.rules, rule, Number(moveto));
    return;
  }
  copyData(rule, call.params);
  deleteProperties(rule, gone);
  verifyRule(call, rule, firewall);
}

function shown(rule: Config): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(rule).map(([key, value]) => [key, NUMBERS.includes(key) ? Number(value) : value]),
  );
}

function ruleAt(rules: Config[], { params: { pos = '' } }: Call): Config {
  return rules[Number(pos)] ?? fail(`no rule at position ${pos}`);
}

/** Empty text and a dash take a property away. */
function copyData(rule: Config, params: Record<string, string>): void {
  for (const key of PROPERTIES) {
    const value = params[key];
    if (value === undefined) continue;
    if (value === '' || value === '-') delete rule[key];
    else rule[key] = key === 'comment' ? value.trimEnd() : value;
  }
}

function deleteProperties(rule: Config, gone: string | undefined): void {
  for (const name of namesOf(gone)) {
    if (!PROPERTIES.includes(name)) failParameters({ delete: `no such property ('${name}')` });
    if (name === 'type' || name === 'action') {
      failParameters({ delete: `unable to delete required property '${name}'` });
    }
    delete rule[name];
  }
}

/** The rule stands before what is at the position now; past the end it becomes the last. */
function moved(rules: Config[], rule: Config, moveto: number): Config[] {
  const order = rules.flatMap((other, index) => {
    const before = index === moveto ? [rule] : [];
    return other === rule ? [] : [...before, other];
  });
  return moveto >= rules.length ? [...order, rule] : order;
}
