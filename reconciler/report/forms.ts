/** How a list or a status is printed. `name`: only the names, one a line, for other commands to read. */
export const FORMS = ['table', 'wide', 'json', 'yaml', 'name'] as const;

/** One of them. */
export type Form = (typeof FORMS)[number];

/** Those of a list that has nothing more to show in a wide table. */
export const LIST_FORMS = ['table', 'json', 'yaml', 'name'] as const;
