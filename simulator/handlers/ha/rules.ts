import type { Call, HandlerTable } from '../../cluster/call';
import { isRelease8 } from '../../cluster/release';
import type { Sim } from '../../cluster/sim';
import { Failure, fail } from '../../failure';
import { findNamed } from '../../own-keys';
import { nodesOf, resourcesOf } from '../../ha/rule';
import { ruleErrors } from '../../ha/rule-errors';
import { checkRuleOptions, deleteRuleOption } from '../../ha/rule-options';
import { needQuorum } from '../../cluster/quorum';
import { splitList } from '../../perl-text';
import { unescapePercent } from '../../wire/percent';
import { changing, checkUnmodified } from '../../cluster/section-change';
import { digestOfSections } from '../../cluster/section-config';
import type { Config, World } from '../../world';
import type { HaRule } from '../../world-ha';

const RULE = '/cluster/ha/rules/{rule}';
const FLAGS = ['disable', 'strict'];

const ruleHandlers: HandlerTable = {
  'GET /cluster/ha/rules': ({ sim, params: { type, resource } }) =>
    Object.entries(sim.world.ha.rules)
      .filter(([, rule]) => type === undefined || rule.type === type)
      .filter(([, rule]) => resource === undefined || resourcesOf(rule).includes(resource))
      .map(([id, rule]) => shown(sim.world, id, rule)),
  [`GET ${RULE}`]: ({ sim, params: { rule: id = '' } }) => {
    const rule = findNamed(sim.world.ha.rules, id) ?? fail(`no such ha rule '${id}'`);
    return shown(sim.world, id, rule);
  },
  'POST /cluster/ha/rules': createRule,
  [`PUT ${RULE}`]: updateRule,
  [`DELETE ${RULE}`]: ({ sim, params: { rule = '' } }) =>
    changing('delete ha rule failed', () => {
      needQuorum(sim.world, "cfs-lock 'domain-ha' error: no quorum!");
      // a rule that is not there is deleted too (behaviour.md §13.7)
      delete sim.world.ha.rules[rule];
    }),
};

/** Release 8 has no rules: nothing answers there. */
export const haRuleHandlers: HandlerTable = Object.fromEntries(
  Object.entries(ruleHandlers).map(([route, handler]) => [
    route,
    (call: Call): unknown => {
      if (!isRelease8(call.sim.world)) return handler(call);
      const path = route.replace('{rule}', call.params['rule'] ?? '');
      throw new Failure(501, `Method '${path}' not implemented`);
    },
  ]),
);

function shown(world: World, id: string, rule: HaRule): Record<string, unknown> {
  const errors = ruleErrors(world)[id];
  const entries = Object.entries(written(rule)).map(([key, value]) => [
    key,
    FLAGS.includes(key) ? Number(value) : value,
  ]);
  return {
    rule: id,
    type: rule.type,
    order: Object.keys(world.ha.rules).indexOf(id) + 1,
    ...Object.fromEntries(entries),
    digest: digestOfRules(world),
    ...(errors && { errors: { resources: errors } }),
  };
}

/** A rule's settings as its file holds them: sorted lists. */
function written(rule: HaRule): Record<string, string> {
  const { resources: _resources, nodes: _nodes, ...rest } = rule.settings;
  const nodes = [...nodesOf(rule)].map(([node, priority]) => (priority > 0 ? `${node}:${priority}` : node));
  return {
    ...rest,
    resources: resourcesOf(rule).join(','),
    ...(nodes.length > 0 && { nodes: nodes.join(',') }),
  };
}

function digestOfRules({ ha }: World): string {
  return digestOfSections(
    Object.entries(ha.rules).map(([id, rule]) => ({ id, type: rule.type, settings: written(rule) })),
  );
}

function createRule({ sim, params }: Call): null {
  needQuorum(sim.world);
  const { type = '', rule: id = '', ...sent } = params;
  const settings = settingsOf(sent);
  checkRuleOptions(type, type, settings);
  return changing('create ha rule failed', () => {
    const { rules } = sim.world.ha;
    if (findNamed(rules, id)) fail(`HA rule '${id}' already defined`);
    const rule = { type, settings };
    checkTargets(sim.world, rule);
    keepIfPossible(sim.world, id, withRule(sim, id, rule));
  });
}

/**
 * A new rule goes behind the first one. PVE: get_next_ordinal adds one to the lowest number, not to the highest, so
 * from the third rule on two have the same number, and chance says which of them comes first.
 */
function withRule(sim: Sim, id: string, rule: HaRule): Record<string, HaRule> {
  const entries = Object.entries(sim.world.ha.rules);
  const place = entries.length < 2 ? entries.length : 1 + sim.random.below(2);
  return Object.fromEntries([...entries.slice(0, place), [id, rule], ...entries.slice(place)]);
}

function updateRule({ sim, params }: Call): null {
  const { type = '', rule: id = '', digest, delete: gone, ...sent } = params;
  const settings = settingsOf(sent);
  return changing('update HA rules failed', () => {
    needQuorum(sim.world, "cfs-lock 'domain-ha' error: no quorum!");
    const { rules } = sim.world.ha;
    checkUnmodified(digest, digestOfRules(sim.world));
    const known = findNamed(rules, id) ?? fail(`HA rule '${id}' does not exist`);
    checkRuleOptions(known.type, type, settings);
    checkTargets(sim.world, { type, settings });
    const kept = { ...known.settings };
    for (const name of splitList(gone)) deleteRuleOption(known.type, kept, settings, name);
    keepIfPossible(sim.world, id, { ...rules, [id]: { type, settings: { ...kept, ...settings } } });
  });
}

/** What was sent, as Proxmox takes it: a `disable` that is off says nothing, and a comment is decoded once more. */
function settingsOf({ disable, comment, ...rest }: Config): Config {
  return {
    ...rest,
    ...(disable === '1' && { disable }),
    ...(comment !== undefined && { comment: unescapePercent(comment) }),
  };
}

/** Fails unless what a rule names is there; what was not sent is not judged. */
function checkTargets({ ha, nodes }: World, rule: HaRule): void {
  if (rule.settings['resources'] !== undefined) {
    const sids = resourcesOf(rule);
    if (sids.length === 0) fail('no resources were specified');
    const unmanaged = sids.filter(sid => !findNamed(ha.resources, sid));
    if (unmanaged.length > 0) fail(`cannot use unmanaged resource(s) ${unmanaged.join(', ')}.`);
  }
  if (rule.settings['nodes'] !== undefined) {
    const named = [...nodesOf(rule).keys()];
    if (named.length === 0) fail('no nodes were specified');
    const missing = named.filter(node => !nodes.some(({ name }) => name === node));
    if (missing.length > 0) fail(`cannot use non-existent node(s) ${missing.join(', ')}.`);
  }
}

function keepIfPossible(world: World, id: string, rules: Record<string, HaRule>): void {
  const errors = ruleErrors({ ...world, ha: { ...world.ha, rules } })[id];
  if (errors) throw new Failure(400, `Rule '${id}' is invalid.`, { resources: errors.join(', ') });
  world.ha.rules = rules;
}
