import type { Call, HandlerTable } from '../../cluster/call';
import { Failure, fail } from '../../failure';
import { nodesOf, resourcesOf } from '../../ha/rule';
import { ruleErrors } from '../../ha/rule-errors';
import { ruleEndpoint, ruleOptions } from '../../ha/rule-parameters';
import { needQuorum } from '../../cluster/quorum';
import { checkParameters } from '../../schema/check';
import { changing, checkUnmodified } from '../../cluster/section-change';
import { digestOfSections } from '../../cluster/section-config';
import type { HaRule, World } from '../../world';
import { findNamed } from '../../own-keys';

const RULE = '/cluster/ha/rules/{rule}';
const FLAGS = ['disable', 'strict'];

export const haRuleHandlers: HandlerTable = {
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

/** A rule's settings as its file holds them: sorted lists, and no flags that are off. */
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

function createRule({ sim, endpoint, params: raw }: Call): null {
  const { params } = checkParameters(ruleEndpoint(endpoint, raw['type'], false), raw);
  needQuorum(sim.world);
  const { type = '', rule: id = '', ...settings } = params;
  return changing('create ha rule failed', () => {
    const { rules } = sim.world.ha;
    if (findNamed(rules, id)) fail(`HA rule '${id}' already defined`);
    const rule = { type, settings };
    checkTargets(sim.world, rule);
    keepIfPossible(sim.world, id, { ...rules, [id]: rule });
  });
}

function updateRule({ sim, endpoint, params: raw }: Call): null {
  const id = raw['rule'] ?? '';
  const known = findNamed(sim.world.ha.rules, id);
  const { params } = checkParameters(ruleEndpoint(endpoint, raw['type'], true), raw);
  const { type = '', rule: _rule, digest, delete: gone = '', ...settings } = params;
  return changing('update HA rules failed', () => {
    needQuorum(sim.world, "cfs-lock 'domain-ha' error: no quorum!");
    checkUnmodified(digest, digestOfRules(sim.world));
    if (!known) fail(`HA rule '${id}' does not exist`);
    // PVE: the rule's own type judges what was sent, `type` too; which of several it names is chance
    const foreign = Object.keys(settings).find(key => ruleOptions(known.type)[key] === undefined);
    if (type !== known.type) fail(`unexpected property '${foreign ?? 'type'}'`);
    const changed = { type: known.type, settings: { ...known.settings, ...settings } };
    checkTargets(sim.world, { type, settings });
    for (const name of gone.split(/[\s,;]+/).filter(each => each !== '')) {
      const deletable = ruleOptions(known.type)[name];
      if (deletable === undefined) fail(`no such option '${name}'`);
      if (!deletable) fail(`unable to delete required option '${name}'`);
      if (settings[name] !== undefined) fail(`cannot set and delete property '${name}' at the same time!`);
      delete changed.settings[name];
    }
    keepIfPossible(sim.world, id, { ...sim.world.ha.rules, [id]: changed });
  });
}

function checkTargets({ ha, nodes }: World, rule: HaRule): void {
  const unmanaged = resourcesOf(rule).filter(sid => !findNamed(ha.resources, sid));
  if (unmanaged.length > 0) fail(`cannot use unmanaged resource(s) ${unmanaged.join(', ')}.`);
  const missing = [...nodesOf(rule).keys()].filter(node => !nodes.some(({ name }) => name === node));
  if (missing.length > 0) fail(`cannot use non-existant node(s) ${missing.join(', ')}.`);
}

function keepIfPossible(world: World, id: string, rules: Record<string, HaRule>): void {
  const errors = ruleErrors({ ...world, ha: { ...world.ha, rules } })[id];
  if (errors) throw new Failure(400, `Rule '${id}' is invalid.`, { resources: errors.join(', ') });
  world.ha.rules = rules;
}
