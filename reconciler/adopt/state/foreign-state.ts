import { isRecord } from '../../../spec';
import { InputError } from '../../errors';
import type { Json } from '../spec/said';

/** One resource that another tool holds, in whatever form its state was saved. */
export interface ForeignResource {
  /** As that tool names it: `module.shop.proxmox_virtual_environment_vm.web["a"]`, or a URN of Pulumi. */
  address: string;
  /** The address without the key of the instance: what a `removed` block can name. */
  block: string;
  type: string;
  /** Words that name it: those of modules, its own, its key. */
  words: readonly string[];
  values: Json;
  /** Blocks that this one reads. */
  reads: readonly string[];
  /** The version of its form, where that is said. */
  schema?: number;
  /** Why nobody should believe it: it is half made, or on its way out. */
  doubt?: string;
}

/** A state of another tool. */
export interface ForeignState {
  tool: 'terraform' | 'pulumi';
  resources: readonly ForeignResource[];
}

/** The resources of a state. Throws one error that says what the text is, where it is none. */
export function resourcesOf(text: string, name: string): ForeignState {
  const state = jsonOf(text, name);
  const form = FORMS.find(({ isIt }) => isIt(state));
  if (form === undefined) throw new InputError(`${name} is no state: ${WHAT_IS_READ}`);
  if (form.refuses !== undefined) throw new InputError(`${name} ${form.refuses}`);
  return form.read?.(state) ?? { tool: 'terraform', resources: [] };
}

const WHAT_IS_READ =
  'give a terraform.tfstate of version 4, what `terraform show -json` prints, or what `pulumi stack export` prints. Nothing was sent.';

function jsonOf(text: string, name: string): Json {
  try {
    // Terraform of Windows, and PowerShell, begin a file with a byte order mark
    const state: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (isRecord(state)) return state;
  } catch {
    // said below
  }
  throw new InputError(`${name} is no JSON object: ${WHAT_IS_READ}`);
}

interface Form {
  isIt: (state: Json) => boolean;
  refuses?: string;
  read?: (state: Json) => ForeignState;
}

const FORMS: readonly Form[] = [
  {
    isIt: state => state['encrypted_data'] !== undefined,
    refuses: 'is encrypted. Give what `tofu show -json` prints: it decrypts the state. Nothing was sent.',
  },
  {
    isIt: state => state['resource_changes'] !== undefined || state['planned_values'] !== undefined,
    refuses:
      'is a plan. Give what `terraform show -json` prints without the name of a plan. Nothing was sent.',
  },
  {
    isIt: state => typeof state['version'] === 'number' && state['version'] < 4 && isListed(state['modules']),
    refuses:
      'is a state of Terraform 0.11 or older. Let a newer Terraform write it: terraform init, then terraform refresh. Nothing was sent.',
  },
  { isIt: state => state['version'] === 4 && isListed(state['resources']), read: ofFile },
  { isIt: state => isRecord(state['values']) && state['format_version'] !== undefined, read: ofShow },
  // a state without any resource has no values
  { isIt: state => state['format_version'] !== undefined && state['terraform_version'] !== undefined },
  { isIt: state => isRecord(state['deployment']), read: ofPulumi },
];

function isManaged({ mode, type, name }: Json): boolean {
  return mode === 'managed' && typeof type === 'string' && typeof name === 'string';
}

function isListed(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function records(value: unknown): Json[] {
  return isListed(value) ? value.filter(isRecord) : [];
}

function texts(value: unknown): string[] {
  return isListed(value) ? value.filter(each => typeof each === 'string') : [];
}

/** `terraform.tfstate`, version 4. */
function ofFile(state: Json): ForeignState {
  const managed = records(state['resources']).filter(isManaged);
  const resources = managed.flatMap(({ module, type, name, instances }) =>
    records(instances).map((instance): ForeignResource => {
      const inModule = typeof module === 'string' ? `${module}.` : '';
      const block = `${inModule}${String(type)}.${String(name)}`;
      const key = instance['index_key'];
      return {
        address: `${block}${keyText(key)}`,
        block: withoutKeys(block),
        type: String(type),
        words: wordsOf(typeof module === 'string' ? module : '', String(name), key),
        values: attributesOf(instance),
        ...schemaOf(instance),
        reads: texts(instance['dependencies']).map(withoutKeys),
        ...doubtOf(instance['status'] === 'tainted', instance['deposed'] !== undefined),
      };
    }),
  );
  return { tool: 'terraform', resources };
}

/** What Terraform 0.11 wrote, and nobody refreshed since, stands flat: each value a text. */
function attributesOf({ attributes, attributes_flat: flat }: Json): Json {
  return isRecord(attributes) ? attributes : isRecord(flat) ? flat : {};
}

function schemaOf({ schema_version: schema }: Json): Pick<ForeignResource, 'schema'> {
  return typeof schema === 'number' ? { schema } : {};
}

/** `terraform show -json`. */
function ofShow(state: Json): ForeignState {
  const { values } = state;
  const root = isRecord(values) ? values['root_module'] : undefined;
  return { tool: 'terraform', resources: isRecord(root) ? ofModule(root) : [] };
}

function ofModule(module: Json): ForeignResource[] {
  const own = records(module['resources']).filter(isManaged);
  const resources = own.map((each): ForeignResource => {
    const { address, type, name, index, values } = each;
    return {
      address: String(address),
      block: withoutKeys(String(address)),
      type: String(type),
      words: wordsOf(String(module['address'] ?? ''), String(name), index),
      values: isRecord(values) ? values : {},
      ...schemaOf(each),
      reads: texts(each['depends_on']).map(withoutKeys),
      ...doubtOf(each['tainted'] === true, each['deposed_key'] !== undefined),
    };
  });
  return [...resources, ...records(module['child_modules']).flatMap(ofModule)];
}

/** `pulumi stack export`. */
function ofPulumi(state: Json): ForeignState {
  const deployment = isRecord(state['deployment']) ? state['deployment'] : {};
  const resources = records(deployment['resources']).map((each): ForeignResource => {
    const urn = String(each['urn']);
    return {
      address: urn,
      block: urn,
      type: String(each['type']),
      words: [urn.split('::').at(-1) ?? ''],
      values: { id: each['id'], ...(isRecord(each['outputs']) ? each['outputs'] : {}) },
      reads: texts(each['dependencies']),
      ...doubtOf(false, each['delete'] === true),
      ...(each['external'] === true && { doubt: 'it is only read there' }),
    };
  });
  return { tool: 'pulumi', resources };
}

function doubtOf(isTainted: boolean, isDeposed: boolean): Pick<ForeignResource, 'doubt'> {
  if (isDeposed) return { doubt: 'it is replaced, and its destroy is still to come' };
  return isTainted ? { doubt: 'it is tainted: its creation did not end well' } : {};
}

function keyText(key: unknown): string {
  if (key === undefined || key === null) return '';
  return typeof key === 'number' ? `[${key}]` : `[${JSON.stringify(key)}]`;
}

/** An address without the keys of instances. */
function withoutKeys(address: string): string {
  return address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, '');
}

function wordsOf(module: string, name: string, key: unknown): string[] {
  const modules = [...module.matchAll(/module\.([\w-]+)(?:\[(\d+|"(?:[^"\\]|\\.)*")\])?/g)];
  const named = modules.flatMap(([, word = '', of]) => (of === undefined ? [word] : [word, unquoted(of)]));
  return [...named, name, ...(key === undefined || key === null ? [] : [String(key)])];
}

function unquoted(text: string): string {
  return text.replace(/^"|"$/g, '');
}
