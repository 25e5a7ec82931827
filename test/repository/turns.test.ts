import { strideOf } from '../support/turns';

it.each(['0', '-3', '1.5', 'every', ''])('PROCESSES=%s is refused before anything runs', text => {
  expect(() => strideOf(text)).toThrow(`PROCESSES is '${text}': give a whole number of 1 or more`);
});

it('PROCESSES=7 is taken, and none is none', () => {
  expect([strideOf('7'), strideOf(undefined)]).toEqual([7, undefined]);
});
