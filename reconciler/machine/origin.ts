/** How the guest came to us: it decides what of its devices belongs to the spec's names. */
export type Origin = 'blank' | 'cloned' | 'adopted' | 'kept';
