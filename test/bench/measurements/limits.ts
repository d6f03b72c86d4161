import { setTimeout as sleep } from 'node:timers/promises';
import { accountLimits } from '../../../lib/operator/administration.ts';
import { requestsBy } from '../../support/aws-requests.ts';
import { createVideo } from '../../support/http.ts';
import type { Service } from '../../support/service.ts';
import type { Figure } from '../measurement.ts';
import { HELD_BACK } from '../prompts.ts';
import type { Stage } from '../stage.ts';
import { percentile } from '../statistics.ts';

/** So many accounts that none has more unfinished videos than a busy one. */
const FULL = { creates: 150, accounts: 15 };
const BUDGETS = { calls: 3, ratio: 1.35 } as const;

const LIMITS = { monthlyBudget: '1000000', videosAtOnce: 1000, createsPerMinute: 100_000 };

/** Creates accounts with all limits, none of which is reached, or without limits. */
const issueKeys = async (service: Service, count: number, isLimited: boolean): Promise<string[]> => {
  const stack = { clientConfig: service.operator, outputs: service.outputs };
  const accounts = accountLimits(stack);
  const names = Array.from({ length: count }, (_, number) => `${isLimited ? 'limited' : 'free'}-${number}`);
  if (isLimited) for (const name of names) await accounts.set(name, LIMITS);
  return Promise.all(names.map((name) => service.issueKey(name)));
};

const countCalls = async (service: Service, key: string | undefined): Promise<string[]> => {
  await service.cloud.clearCalls();
  await createVideo(service, HELD_BACK, key);
  return requestsBy(await service.cloud.calls(), service.cloud.functionId('CreateVideo'));
};

/** Time for the worker's step of the previous video, which would use the CPU. */
const QUIET_MILLISECONDS = 100;

const timeCreate = async (service: Service, key: string | undefined): Promise<number> => {
  await sleep(QUIET_MILLISECONDS);
  const started = performance.now();
  await createVideo(service, HELD_BACK, key);
  return performance.now() - started;
};

/** The overhead of limits on a create; both kinds take turns, so that other load affects both. */
export const limits = async ({ size, start }: Stage): Promise<readonly Figure[]> => {
  const { creates, accounts } = size(FULL, { creates: 1, accounts: 1 });
  await using service = await start();
  const [limitedKeys, freeKeys] = [
    await issueKeys(service, accounts, true),
    await issueKeys(service, accounts, false),
  ];
  for (const key of [...limitedKeys, ...freeKeys]) await createVideo(service, HELD_BACK, key);
  const calls = await countCalls(service, limitedKeys[0]);
  const [limited, unlimited]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < creates; turn += 1) {
    limited.push(await timeCreate(service, limitedKeys[turn % accounts]));
    unlimited.push(await timeCreate(service, freeKeys[turn % accounts]));
  }
  const [held, free] = [percentile(limited, 0.5), percentile(unlimited, 0.5)];
  return [
    {
      name: 'AWS calls, create with limits',
      measured: calls.length,
      unit: '',
      budget: BUDGETS.calls,
      note: calls.join(', '),
    },
    {
      name: 'create with limits relative to without, p50',
      measured: held / free,
      unit: '',
      budget: BUDGETS.ratio,
      note: `${held.toFixed(1)} ms, without ${free.toFixed(1)} ms; ${creates} of each in turn, local gateway`,
    },
  ];
};
