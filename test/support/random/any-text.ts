import * as fc from 'fast-check';

/** Any text of whole characters. What fast-check calls `binary` is the same, but takes a second to be made. */
export const anyText = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
    .map(code => String.fromCodePoint(code)),
});
