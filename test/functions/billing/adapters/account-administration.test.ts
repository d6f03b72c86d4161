import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { accountAdministration } from '../../../../functions/billing/adapters/account-administration.ts';
import { auditTrail } from '../../../../functions/identity/adapters/audit-trail.ts';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import { encode } from '../../../../functions/platform/aws/attributes.ts';
import { sharedEmulators } from '../../../lib/local/emulators/emulated.ts';
import { anAction } from '../../../support/audit.ts';
import { createTable } from '../../../support/create-table.ts';
import { strictLogger } from '../../../support/loggers.ts';

const { clients } = await sharedEmulators();
const NOW = Date.UTC(2026, 10, 18);

const openTable = async (name: string) => {
  await createTable(clients.dynamo, name, ['account']);
  await createTable(clients.dynamo, `${name}-audit`, ['account', 'id']);
  const audit = auditTrail(clients.dynamo, `${name}-audit`, { info: () => {} });
  const entries: AuditEntry[] = [];
  let conflicts = 0;
  const write: typeof audit.write = async (items, entry) => {
    if (conflicts > 0) {
      conflicts -= 1;
      return [{}];
    }
    entries.push(...[entry].flat());
    return audit.write(items, entry);
  };
  return {
    entries,
    accounts: accountAdministration(clients.dynamo, name, strictLogger, { write }),
    refuse: (count: number) => {
      conflicts = count;
    },
  };
};

test('limits are changed with an audit entry, and stay if they are not given', async () => {
  const { accounts, entries } = await openTable('limits-set');
  assert.equal(await accounts.show('acme', NOW), undefined);
  await accounts.set(anAction('acme', NOW), { videosAtOnce: 3, monthlyBudget: '20' });
  await accounts.set(anAction('acme', NOW), { createsPerMinute: 5, monthlyBudget: undefined });
  await accounts.set(anAction('acme', NOW), { createsPerMinute: 5 });
  assert.partialDeepStrictEqual(await accounts.show('acme', NOW), {
    account: 'acme',
    limits: { videosAtOnce: 3, createsPerMinute: 5, monthlyBudget: undefined },
  });
  assert.deepEqual(
    entries.map(({ account, at, type, resourceId, details }) => [account, at, type, resourceId, details]),
    [
      { monthlyBudgetFrom: 'default', monthlyBudgetTo: '20', videosAtOnceFrom: 'default', videosAtOnceTo: 3 },
      {
        monthlyBudgetFrom: '20',
        monthlyBudgetTo: 'default',
        createsPerMinuteFrom: 'default',
        createsPerMinuteTo: 5,
      },
    ].map((details) => ['acme', NOW, 'rate_limit.updated', 'acme', details]),
  );
});

test('limits that another operator changes meanwhile are tried five times', async () => {
  const { accounts, refuse } = await openTable('limits-contended');
  refuse(4);
  await accounts.set(anAction('acme', NOW), { videosAtOnce: 3 });
  refuse(5);
  await assert.rejects(
    accounts.set(anAction('acme', NOW), { videosAtOnce: 4 }),
    /are being changed by others/,
  );
  assert.equal((await accounts.show('acme', NOW))?.limits.videosAtOnce, 3);
});

test('accounts are listed by name, without items of keys', async () => {
  const { accounts } = await openTable('limits-listed');
  for (const account of ['b', 'a', 'a#key_1'])
    await clients.dynamo.send(
      new PutItemCommand({ TableName: 'limits-listed', Item: encode({ account, videosAtOnce: 2 }) }),
    );
  const listed = (await accounts.list(NOW)).map(({ account }) => account);
  assert.deepEqual(listed, ['a', 'b']);
});
