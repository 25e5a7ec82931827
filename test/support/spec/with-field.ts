type Json = Record<string, unknown>;

/** A deep copy of a spec with one field set; `disks[data].cache` finds the entry by its name, `pci[0].pcie` by its place. */
export function withField(spec: Json, field: string, value: unknown): Json {
  const copy = structuredClone(spec);
  const steps = field.split(/\.|(?=\[)/);
  let holder: unknown = copy;
  steps.slice(0, -1).forEach((step, index) => {
    holder = child(holder, step, /^\[/.test(steps[index + 1] ?? '') ? [] : {});
  });
  const last = steps.at(-1) ?? '';
  (holder as Json)[last] = value;
  return copy;
}

function child(holder: unknown, step: string, fresh: unknown): unknown {
  const entry = /^\[(.+)\]$/.exec(step)?.[1];
  if (entry !== undefined) {
    const list = holder as Json[];
    return list.find(({ name }) => name === entry) ?? (list[Number(entry)] ??= {});
  }
  const there = (holder as Json)[step];
  if (typeof there !== 'object') (holder as Json)[step] = fresh;
  return (holder as Json)[step];
}

/** A copy with a field of the table set, and with what that needs, where the spec does not say it already. */
export function withWanted(
  spec: Json,
  { field, base, also = {} }: { field: string; base?: Json; also?: Json },
  value: unknown,
): Json {
  const start: Json = { ...base, ...spec };
  return Object.entries({ ...also, [field]: value }).reduce(
    (whole, [name, needed]) => withField(whole, name, needed),
    start,
  );
}
