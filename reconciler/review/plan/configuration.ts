import type { ConfiguredModule, PlanDocument, ResourceChange } from './plan-document';

/** True for the plan of a stack, or with a module of ours, that may have machines, also where it has none. */
export function hasRegistry({ configuration }: PlanDocument): boolean {
  return [...modulesOf(configuration?.root_module)].some(({ resources = [] }) => {
    const addresses = resources.map(({ address }) => address);
    const isOurModule =
      addresses.includes('terraform_data.machines') && addresses.includes('data.external.observe_own');
    const isOurs = /^(?:null_resource\.machines|data\.external\.observe)_[^_]+$/;
    return isOurModule || addresses.some(address => isOurs.test(address));
  });
}

/**
 * Whether the code says what destroys the machines of this registry: the registry is in it, or a RemovedCluster
 * stands there, which a plan shows by its observer alone. A plan without its code is taken for one that destroys.
 */
export function hasDestroy({ configuration }: PlanDocument, module: string, address: string): boolean {
  const root = configuration?.root_module;
  if (root === undefined) return true;
  const addresses = (moduleAt(root, module)?.resources ?? []).map(({ address: written }) => written);
  const inModule = withoutIndexes(module === '' ? address : address.slice(module.length + 1));
  const cluster = /^null_resource\.machines_([^_]+)$/.exec(inModule)?.[1];
  return (
    addresses.includes(inModule) ||
    (cluster !== undefined && addresses.includes(`data.external.observe_${cluster}`))
  );
}

/** What an observer reads of the code around it: in a module, what the call of the module reads and the apply changes. */
export function readsOf(plan: PlanDocument, module: string, address: string): string[] {
  const root = plan.configuration?.root_module;
  if (module === '') {
    const configured = root?.resources?.find(found => found.address === address);
    const all = configured?.expressions?.['query']?.references ?? [];
    return longest(all.filter(one => /^(?!terraform\.|path\.)/.test(one)));
  }
  const changed = (plan.resource_changes ?? []).filter(({ change }) => change.actions.join() !== 'no-op');
  const places = [...new Set(changed.map(change => placeOf(change)))];
  const said = callReferences(root, module);
  return longest(said.filter(one => places.some(place => `${withoutIndexes(one)}.`.startsWith(`${place}.`))));
}

function* modulesOf(module: ConfiguredModule | undefined): Iterable<ConfiguredModule> {
  if (module === undefined) return;
  yield module;
  for (const { module: called } of Object.values(module.module_calls ?? {})) yield* modulesOf(called);
}

/** The code of a module by its address: `module.a.module.b`. */
function moduleAt(root: ConfiguredModule, module: string): ConfiguredModule | undefined {
  const names = withoutIndexes(module)
    .split('.')
    .filter((_, place) => place % 2 === 1);
  return names.reduce<ConfiguredModule | undefined>(
    (found, name) => found?.module_calls?.[name]?.module,
    root,
  );
}

/** What the arguments refer to that a module is called with, where the call is in the outermost module. */
function callReferences(root: ConfiguredModule | undefined, module: string): string[] {
  const [, name = '', ...inner] = withoutIndexes(module).split('.');
  const expressions = inner.length === 0 ? root?.module_calls?.[name]?.expressions : undefined;
  return Object.values(expressions ?? {}).flatMap(({ references }) => references ?? []);
}

/** What the outermost module calls a resource; one in a module goes by its call. */
function placeOf({ address, module_address: module }: ResourceChange): string {
  return module === undefined ? withoutIndexes(address) : withoutIndexes(module).split('.', 2).join('.');
}

// Terraform tells a reference with all its beginnings: a.b.c, a.b
function longest(references: string[]): string[] {
  const distinct = [...new Set(references)];
  return distinct.filter(one => !distinct.some(other => other.startsWith(`${one}.`)));
}

/** An address as the code has it. */
export function withoutIndexes(address: string): string {
  return address.replace(/\[(?:"(?:\\.|[^"\\])*"|[^\]"]*)\]/g, '');
}
