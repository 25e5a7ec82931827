import type { Call, HandlerTable } from '../call';
import { fail, failParameters } from '../failure';
import { changeFirewall, checkEntries, digestOfEntries, guestFirewall } from '../firewall/guest-firewall';
import { splitList } from '../schema/perl-text';
import { verifyRule } from '../firewall/verify-rule';
import type { Config } from '../world';

const RULES = '/nodes/{node}/qemu/{vmid}/firewall/rules';
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
  [`GET ${RULES}`]: call => {
    const { rules } = guestFirewall(call);
    const digest = digestOfEntries(rules);
    return rules.map((rule, pos) => ({ ...shown(rule), pos, digest }));
  },
  [`GET ${RULES}/{pos}`]: call => {
    const { rules } = guestFirewall(call);
    // the position comes back as it was sent: text (recording c3, step 15)
    return { ...shown(ruleAt(rules, call)), pos: call.params['pos'], digest: digestOfEntries(rules) };
  },
  [`POST ${RULES}`]: call =>
    changeFirewall(call, firewall => {
      const rule: Config = {};
      copyData(rule, call.params);
      verifyRule(rule, firewall);
      // a rule is off unless it says otherwise, and goes to the front (behaviour.md §10, §13.11)
      rule['enable'] ??= '0';
      firewall.rules.unshift(rule);
    }),
  [`PUT ${RULES}/{pos}`]: call =>
    changeFirewall(call, firewall => {
      const { moveto, digest, delete: gone } = call.params;
      checkEntries(digest, firewall.rules);
      const rule = ruleAt(firewall.rules, call);
      if (moveto !== undefined && moveto !== call.params['pos']) {
        firewall.rules = moved(firewall.rules, rule, Number(moveto));
        return;
      }
      copyData(rule, call.params);
      deleteProperties(rule, gone);
      verifyRule(rule, firewall);
    }),
  [`DELETE ${RULES}/{pos}`]: call =>
    changeFirewall(call, ({ rules }) => {
      checkEntries(call.params['digest'], rules);
      rules.splice(rules.indexOf(ruleAt(rules, call)), 1);
    }),
};

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
  for (const name of splitList(gone)) {
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
