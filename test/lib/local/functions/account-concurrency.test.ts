import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { HOME } from '../../../../lib/local/emulators/start.ts';
import { AccountConcurrency } from '../../../../lib/local/functions/function-host.ts';
import { createStack } from '../../../../lib/local/template/stack.ts';
import { type Template, templateSchema } from '../../../../lib/local/template/template.ts';
import { until } from '../../../support/until.ts';
import { openFixture } from '../fixture/open-fixture.ts';

const limited = (logicalId: string, reservedConcurrency?: number) => ({ logicalId, reservedConcurrency });

const fixture = await openFixture();
const { templateFile, folder } = fixture;
const assetsFile = templateFile.replace('.template.', '.assets.');
const template: Template = templateSchema.parse(JSON.parse(await readFile(templateFile, 'utf8')));

describe('the concurrency of an account', () => {
  it('is that of a new account unless the template states one', () => {
    const { concurrencyQuota } = createStack(templateSchema.parse({ Resources: {} }), {
      ...HOME,
      stackName: 'New',
    });
    assert.equal(concurrencyQuota, 10);
  });

  it('is shared by all functions', () => {
    const account = new AccountConcurrency(2, [limited('A'), limited('B')]);
    const end = account.begin('A');
    assert.ok(end !== undefined && account.begin('B') !== undefined);
    assert.equal(account.begin('A'), undefined);
    assert.equal(account.begin('B'), undefined);
    assert.deepEqual([account.running, account.throttles], [2, { A: 1, B: 1 }]);
    end();
    assert.ok(account.begin('B') !== undefined);
  });

  it('excludes reservations, which limit their functions', () => {
    const account = new AccountConcurrency(101, [limited('A', 1), limited('B')]);
    for (let count = 0; count < 100; count += 1) assert.ok(account.begin('B') !== undefined);
    assert.equal(account.begin('B'), undefined);
    assert.ok(account.begin('A') !== undefined);
    assert.equal(account.begin('A'), undefined);
    assert.equal(account.running, 101);
  });

  it('is not used by a disabled function', () => {
    const account = new AccountConcurrency(10, [limited('A', 0), limited('B')]);
    assert.equal(account.begin('A'), undefined);
    for (let count = 0; count < 10; count += 1) assert.ok(account.begin('B') !== undefined);
  });

  it('must leave 100 unreserved executions', () => {
    assert.throws(() => new AccountConcurrency(1000, [limited('A', 500), limited('B', 401)]), {
      name: 'LocalCloudError',
      message:
        "ReservedConcurrentExecutions add up to 901, but 100 of the account's 1000 executions must stay unreserved.",
    });
    assert.throws(
      () => new AccountConcurrency(10, [limited('A', 1)]),
      /add up to 1, but 100 of the account's 10 executions/,
    );
  });
});

describe('a cloud whose account may run two functions at once', () => {
  it('throttles the third: the gateway answers 500, and a scheduled event is retried', async () => {
    const throttled: string[] = [];
    const onThrottle = (functionId: string) => throttled.push(functionId);
    const Metadata = { AccountQuotas: { LambdaConcurrentExecutions: 2 } };
    const own = { templateFile: join(folder, 'Two.template.json'), assetsFile };
    await writeFile(own.templateFile, JSON.stringify({ ...template, Metadata }));
    const cloud = await fixture.start({ ...own, onThrottle }, 'two');
    const event = { queryStringParameters: { do: 'wait' }, body: null };
    const waiting = [cloud.invoke('Probe', event), cloud.invoke('Probe', event)];
    assert.equal(cloud.executions(), 2);
    const response = await fetch(`${cloud.baseUrl}/probe`);
    assert.equal(response.status, 500);
    assert.deepEqual(await response.json(), {
      error: { message: 'Internal server error', type: 'INTEGRATION_FAILURE' },
    });
    const swept = cloud.runSchedule('EveryMinute');
    await until(() => throttled.includes(cloud.functionId('Sweeper')));
    assert.deepEqual(throttled, [cloud.functionId('Probe'), cloud.functionId('Sweeper')]);
    const probes = () => cloud.functionProcesses()[cloud.functionId('Probe')] ?? [];
    await until(() => probes().length === 2);
    for (const pid of probes()) process.kill(pid, 'SIGKILL');
    await Promise.all(waiting);
    const [result] = await swept;
    assert.equal(result?.type, 'response');
    assert.equal((await fetch(`${cloud.baseUrl}/probe`)).status, 200);
    assert.equal(cloud.executions(), 0);
    await cloud.close();
  });
});
