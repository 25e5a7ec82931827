import { LISTS, taskListFaults } from '../support/runs/task-list-faults';

test.each(Object.keys(LISTS))(
  'nothing is doubled, and nothing waits for ever, where a list of tasks %s',
  async list => expect(await taskListFaults(list, 1)).toEqual([]),
);
