import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errorHeaders } from '../../functions/platform/api/dialects.ts';
import { retryWhileThrottled } from '../../functions/platform/aws/aws-clients.ts';
import { DomainError } from '../../functions/platform/domain/errors.ts';
import { FRAMES_REQUEST } from '../support/builders/requests.ts';
import type { CallName } from '../support/in-memory/call.ts';
import { longOr } from '../support/long-tests.ts';
import { runScenario } from './run-scenario.ts';
import type { Invocation } from './world/invocation.ts';
import type { Outcome } from './world/service.ts';

const SECOND = 1000;
const THROTTLED = { from: 60 * SECOND, to: 120 * SECOND };
const CREATES = 30;
const GAP = 4 * SECOND;
const BACKLOG_MAY_LAST = 120 * SECOND;
/** How long a task takes when nothing goes wrong. */
const USUAL = 15 * SECOND;

const isVideoSlowStep = (name: CallName, { role }: Invocation): boolean =>
  name.startsWith('slowSteps.') && role === 'worker';

/** Which calls use which table. A charge and a reservation are each written in one transaction over several. */
const TABLES: Readonly<Record<string, (name: CallName, invocation: Invocation) => boolean>> = {
  tasks: (name, invocation) => /^(tasks|ages)\./.test(name) || isVideoSlowStep(name, invocation),
  accounts: (name) => /^(accounts|charges)\./.test(name),
  reservations: (name) => /^(accounts\.(?!find)|charges)/.test(name),
  'charges and usage': (name) => name.startsWith('charges.'),
  'webhook endpoints': (name) => name.startsWith('endpoints.'),
  'webhook deliveries': (name, invocation) =>
    name.startsWith('deliveries.') || (name.startsWith('slowSteps.') && !isVideoSlowStep(name, invocation)),
};

/** A create is refused only while it needs the table. */
const REFUSED: Readonly<Record<string, number>> = {
  tasks: (THROTTLED.to - THROTTLED.from) / GAP,
  reservations: (THROTTLED.to - THROTTLED.from) / GAP,
  'webhook deliveries': 0,
};

const readHeaders = (outcome: Outcome<unknown>): Record<string, string> | undefined => {
  if (outcome.state === 'ended') return undefined;
  const error = outcome.state === 'threw' ? outcome.error : undefined;
  assert.ok(error instanceof DomainError, `a create ends with ${outcome.state}: ${error}`);
  assert.ok(error.rule.http === 429 || error.rule.http === 503, `a create ends with ${error.code}`);
  return errorHeaders(error);
};

const SEEDS = longOr([1], [1, 2, 3]);

/** Thirty creates, the last of them just before the table works again. */
const runThrottled = async (table: (name: CallName, invocation: Invocation) => boolean, seed: number) => {
  const outcomes: Outcome<unknown>[] = [];
  const run = await runScenario(
    {
      name: 'throttled table',
      upstream: { generating: 8 * SECOND },
      repeat: retryWhileThrottled,
      limits: { monthlyBudget: '1000', videosAtOnce: 100 },
      receivers: [[]],
      outage: (name, invocation, now) =>
        table(name, invocation) && now >= THROTTLED.from && now < THROTTLED.to ? 'throttled' : undefined,
      client: async (client) => {
        await Promise.all(
          Array.from({ length: CREATES }, async (_, number) => {
            await client.sleep(number * GAP);
            outcomes.push(await client.create(FRAMES_REQUEST));
          }),
        );
      },
    },
    [],
    seed,
  );
  return { run, outcomes };
};

describe('a table that is throttled for 60 seconds', () => {
  for (const [name, table] of Object.entries(TABLES))
    for (const seed of SEEDS)
      test(`loses nothing, gives no wrong answer and leaves no backlog: ${name}, run ${seed}`, async () => {
        const { run, outcomes } = await runThrottled(table, seed);
        assert.deepEqual(run.violations, []);
        const refusals = outcomes.map(readHeaders).filter((headers) => headers !== undefined);
        for (const headers of refusals) assert.match(headers['retry-after'] ?? 'none', /^[1-9]\d*$/);
        assert.equal(outcomes.length, CREATES);
        assert.deepEqual(new Set(run.outcomes), new Set(['completed']));
        assert.equal(run.outcomes.length, CREATES - refusals.length);
        if (seed === 1) assert.equal(refusals.length, REFUSED[name] ?? refusals.length);
        for (const [what, at] of Object.entries({ settled: run.lastSettled, received: run.lastReceived }))
          assert.ok(at <= THROTTLED.to + BACKLOG_MAY_LAST + USUAL, `the last is ${what} at ${at} ms`);
      });
});
