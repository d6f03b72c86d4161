import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scheduler } from '../../../../lib/local/events/schedules.ts';

test('a schedule without permission to invoke its function reports it when it is due', async () => {
  const { promise: told, resolve: tell } = Promise.withResolvers<string>();
  const scheduler = new Scheduler({
    schedules: [
      {
        logicalId: 'EveryMinute',
        arn: 'arn:aws:events:us-east-1:000000000000:rule/EveryMinute',
        enabled: true,
        everyMilliseconds: 60_000,
        targets: [{ functionId: 'Sweeper', permitted: false }],
      },
    ],
    functions: { invoke: () => assert.fail('it is invoked all the same') },
    environment: { region: 'us-east-1', accountId: '000000000000', stackName: 'Test' },
    firstRunMilliseconds: 1,
    automatic: true,
    onError: (where, error) => tell(`${where}: ${error instanceof Error ? error.message : error}`),
  });
  assert.equal(await told, 'schedule EveryMinute: EveryMinute is not permitted to invoke Sweeper.');
  scheduler.close();
});
