import { pairOfHosts, LOSSES, takeOver, type PairOfHosts } from '../../support/lease/pair';
import { noPostgres, startPostgres, type Postgres } from '../../support/lease/postgres';
import { skipped } from '../../support/skipped';

const why = noPostgres();
if (why !== undefined) skipped('two hosts take turns by PostgreSQL', why);
else {
  let postgres: Postgres;
  let pair: PairOfHosts;
  beforeAll(async () => {
    postgres = await startPostgres();
    pair = await pairOfHosts(postgres.port, port => ({
      args: ['--lease', `postgres://pve@127.0.0.1:${port}/postgres`],
    }));
  });
  afterAll(async () => {
    await pair?.close();
    await postgres?.close();
  });

  test.each(Object.keys(LOSSES) as (keyof typeof LOSSES)[])(
    'the host at work is %s: the other one takes over, and nothing is written twice',
    async loss => {
      const { doubled } = await takeOver(pair, loss);
      expect(doubled).toEqual([]);
    },
  );
}
