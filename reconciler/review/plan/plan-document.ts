import * as z from 'zod';

const Labelled = {
  address: z.string(),
  mode: z.string(),
  type: z.string(),
  name: z.string(),
  index: z.union([z.string(), z.number()]).optional(),
};
const Values = z.record(z.string(), z.unknown());

/** One resource that a plan speaks of, and what happens to it. */
const ResourceChange = z.object({
  ...Labelled,
  module_address: z.string().optional(),
  previous_address: z.string().optional(),
  /** What an earlier replacement left behind: another object of the same address. */
  deposed: z.string().optional(),
  action_reason: z.string().optional(),
  change: z.object({
    actions: z.array(z.string()),
    before: Values.nullish(),
    after: Values.nullish(),
    /** Which values Terraform is told to keep from view. */
    before_sensitive: z.unknown().optional(),
    after_sensitive: z.unknown().optional(),
  }),
});
export type ResourceChange = z.infer<typeof ResourceChange>;

const StateResource = z.object({
  ...Labelled,
  values: Values.nullish(),
  tainted: z.boolean().optional(),
  deposed_key: z.string().optional(),
});
export type StateResource = z.infer<typeof StateResource>;

const StateModule = z.object({
  address: z.string().optional(),
  resources: z.array(StateResource).optional(),
  get child_modules() {
    return z.array(StateModule).optional();
  },
});
export type StateModule = z.infer<typeof StateModule>;

const Reference = z.object({ references: z.array(z.string()).optional() });
const Configured = z.object({
  address: z.string(),
  expressions: z.record(z.string(), Reference.catch({})).optional(),
  depends_on: z.array(z.string()).optional(),
});

/** What is written in a module, and in the modules that it calls. */
const ConfiguredModule = z.object({
  resources: z.array(Configured).optional(),
  get module_calls() {
    return z.record(z.string(), ModuleCall).optional();
  },
});
export type ConfiguredModule = z.infer<typeof ConfiguredModule>;

const ModuleCall = z.object({
  expressions: z.record(z.string(), Reference.catch({})).optional(),
  get module() {
    return ConfiguredModule.optional();
  },
});

/** Conditions that a plan was to decide, of a resource or of a block `check`. */
const Check = z.object({
  address: z.object({ kind: z.string(), type: z.string().optional(), name: z.string() }),
  instances: z
    .array(
      z.object({
        address: z.object({
          module: z.string().optional(),
          instance_key: z.union([z.string(), z.number()]).optional(),
        }),
        status: z.string(),
      }),
    )
    .optional(),
});
export type Check = z.infer<typeof Check>;

/** `terraform show -json` of a plan, as far as it is read here. */
export const PlanDocument = z.object({
  format_version: z.string(),
  /** When the plan was made. */
  timestamp: z.string().optional(),
  errored: z.boolean().optional(),
  /** Whether nothing was left out (-target). OpenTofu's plans do not have it (its package jsonplan), nor do old ones of Terraform. */
  complete: z.boolean().optional(),
  resource_changes: z.array(ResourceChange).optional(),
  prior_state: z.object({ values: z.object({ root_module: StateModule.optional() }).optional() }).optional(),
  /** Its form may change: what cannot be read proves nothing. */
  checks: z.array(Check).optional().catch(undefined),
  configuration: z.object({ root_module: ConfiguredModule.optional() }).optional(),
});
export type PlanDocument = z.infer<typeof PlanDocument>;
