import { dayFaults } from '../../support/day/day-faults';

// whole days with other seeds: npm run test:campaign:day
test('something goes wrong each minute: at the end all is as specified, and each of it was told and counted', async () => {
  expect(await dayFaults({ seed: 18, minutes: 8, scale: 60 })).toEqual([]);
});
