import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../../lib/config.ts';

type Given = Parameters<typeof readConfig>[0];

const concurrency = (given: Given) => {
  const { lambdaConcurrencyQuota, workerConcurrency, webhookConcurrency } = readConfig(given);
  return [lambdaConcurrencyQuota, workerConcurrency, webhookConcurrency];
};

describe('the concurrency of the queue consumers', () => {
  const DEFAULTS: readonly [given: Given, expected: readonly number[]][] = [
    [{}, [10, 2, 2]],
    [{ lambdaConcurrencyQuota: '20' }, [20, 4, 4]],
    [{ lambdaConcurrencyQuota: 50 }, [50, 10, 10]],
    [{ lambdaConcurrencyQuota: 199 }, [199, 39, 39]],
    [{ lambdaConcurrencyQuota: 1000 }, [1000, 40, 40]],
    // A consumer without a setting gets what the other leaves.
    [{ lambdaConcurrencyQuota: 50, workerConcurrency: 25 }, [50, 25, 3]],
    [{ lambdaConcurrencyQuota: 50, webhookConcurrency: 2 }, [50, 10, 2]],
    [{ lambdaConcurrencyQuota: 1000, workerConcurrency: 400 }, [1000, 400, 40]],
    // A consumer uses its whole reservation; the rest is divided without it.
    [{ lambdaConcurrencyQuota: 1000, reservedConcurrency: { 'video-worker': 100 } }, [1000, 100, 40]],
    [{ lambdaConcurrencyQuota: 200, reservedConcurrency: { 'create-video': 100 } }, [200, 20, 20]],
  ];
  for (const [given, expected] of DEFAULTS)
    test(`is ${expected.slice(1).join(' and ')} with ${JSON.stringify(given)}`, () => {
      assert.deepEqual(concurrency(given), expected);
    });

  test('leaves 40 % of every quota to requests and schedules by default', () => {
    for (let quota = 10; quota <= 1500; quota += quota < 250 ? 1 : 50) {
      const [, worker = 0, webhook = 0] = concurrency({ lambdaConcurrencyQuota: quota });
      assert.ok(worker + webhook + 2 <= quota * 0.6, `quota ${quota}: ${worker} + ${webhook} + 2`);
    }
  });

  const ACCEPTED: readonly Given[] = [
    { lambdaConcurrencyQuota: 50, workerConcurrency: 26, webhookConcurrency: 2 },
    { lambdaConcurrencyQuota: 1000, workerConcurrency: 590, webhookConcurrency: 8 },
    { lambdaConcurrencyQuota: 101, reservedConcurrency: { 'create-video': 1 } },
    // Disables a function and takes nothing from the others.
    { reservedConcurrency: { 'chat-completions': 0 } },
    {
      lambdaConcurrencyQuota: 1000,
      workerConcurrency: 800,
      webhookConcurrency: 50,
      reservedConcurrency: { 'video-worker': 800 },
    },
  ];
  for (const given of ACCEPTED)
    test(`may be ${JSON.stringify(given)}`, () => {
      assert.doesNotThrow(() => readConfig(given));
    });

  const REFUSED: readonly [given: Given, message: string][] = [
    [
      { workerConcurrency: 10 },
      'workerConcurrency: workerConcurrency (10) + webhookConcurrency (2) + 2 for dead-letter must be at most 6 in total: 40 % of the 10 unreserved executions of lambdaConcurrencyQuota (10) are for API requests and scheduled functions; lower workerConcurrency or webhookConcurrency (2 or more each), or set lambdaConcurrencyQuota to the quota of the account',
    ],
    [
      { webhookConcurrency: 3 },
      'workerConcurrency: workerConcurrency (2) + webhookConcurrency (3) + 2 for dead-letter must be at most 6 in total: 40 % of the 10 unreserved executions of lambdaConcurrencyQuota (10) are for API requests and scheduled functions; lower workerConcurrency or webhookConcurrency (2 or more each), or set lambdaConcurrencyQuota to the quota of the account',
    ],
    [
      {
        lambdaConcurrencyQuota: 1000,
        webhookConcurrency: 239,
        reservedConcurrency: { 'video-worker': 600 },
      },
      'webhookConcurrency: webhookConcurrency (239) + 2 for dead-letter must be at most 240 in total: 40 % of the 400 unreserved executions of lambdaConcurrencyQuota (1000) are for API requests and scheduled functions; lower workerConcurrency or webhookConcurrency (2 or more each), or set lambdaConcurrencyQuota to the quota of the account',
    ],
    [
      { reservedConcurrency: { 'create-video': 1 } },
      'reservedConcurrency: reserves 1, and the sum must be at most 0: AWS keeps 100 of lambdaConcurrencyQuota (10) for functions without a reservation',
    ],
    [
      { lambdaConcurrencyQuota: 1000, reservedConcurrency: { 'create-video': 500, 'edit-images': 401 } },
      'reservedConcurrency: reserves 901, and the sum must be at most 900: AWS keeps 100 of lambdaConcurrencyQuota (1000) for functions without a reservation',
    ],
    [
      { lambdaConcurrencyQuota: 1000, workerConcurrency: 10, reservedConcurrency: { 'video-worker': 9 } },
      'reservedConcurrency: must give video-worker at least workerConcurrency (10), or omit it',
    ],
    [
      { lambdaConcurrencyQuota: 1000, reservedConcurrency: { 'webhook-worker': 1 } },
      'reservedConcurrency: must give webhook-worker at least webhookConcurrency (2), or omit it',
    ],
    [
      { reservedConcurrency: { 'dead-letter': 0 } },
      'reservedConcurrency: must give dead-letter at least its fixed concurrency (2), or omit it',
    ],
    [
      { lambdaConcurrencyQuota: 9 },
      'lambdaConcurrencyQuota: must be at least 10: 6 for queue consumers, the rest for API requests and scheduled functions',
    ],
  ];
  for (const [given, message] of REFUSED)
    test(`may not be ${JSON.stringify(given)}`, () => {
      assert.throws(() => readConfig(given), { name: 'ConfigError', message: `Configuration ${message}.` });
    });
});
