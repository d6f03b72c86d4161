import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isAllowedBy } from '../../lib/local/control-plane/policy-simulation.ts';
import { codeBlocks, tableRows } from '../docs/sections.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand } from './run-command.ts';

const QUOTA_VARIABLE = 'MEDIA_GENERATION_LAMBDA_CONCURRENCY_QUOTA';

type Answer = { readonly status: number; readonly type?: string; readonly body: unknown };
const QUOTA: Answer = { status: 200, body: { AccountLimit: { ConcurrentExecutions: 1000 } } };
const DENIED: Answer = { status: 403, type: 'AccessDeniedException', body: { Message: 'not authorized' } };

const folder = await temporaryFolder('deploy');
const seen = join(folder, 'seen');
let answer = QUOTA;
const requests: string[] = [];

/** Lambda, as far as the command calls it. */
const lambda = await startServer((request, response) => {
  const region = /\/([\w-]+)\/lambda\/aws4_request/.exec(request.headers.authorization ?? '')?.[1];
  requests.push(`${request.method} ${request.url} in ${region}`);
  response.writeHead(answer.status, { 'x-amzn-errortype': answer.type ?? '' });
  response.end(JSON.stringify(answer.body));
});
after(() => lambda.close());

before(async () => {
  // In place of CDK: records its arguments and the quota, and ends as CDK does after a failed deployment.
  const cdk = join(folder, 'cdk');
  await writeFile(cdk, `#!/bin/sh\nprintf '%s|' "$@" "$${QUOTA_VARIABLE}" > ${seen}\nexit 3\n`);
  await chmod(cdk, 0o755);
});

const run = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  requests.length = 0;
  const ended = await runCommand('deploy', args, {
    PATH: `${folder}:${process.env.PATH}`,
    AWS_ENDPOINT_URL: lambda.url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: 'eu-west-1',
    ...environment,
  });
  return { ...ended, cdk: await readFile(seen, 'utf8') };
};

describe('a deployment', () => {
  test('has the quota of the account, and ends with the exit code of cdk', async () => {
    answer = QUOTA;
    assert.deepEqual(await run(['deploy', '--require-approval', 'never']), {
      code: 3,
      output: '',
      errors: 'lambdaConcurrencyQuota is 1000, the quota of the account in eu-west-1.\n',
      cdk: 'deploy|--require-approval|never|1000|',
    });
    assert.deepEqual(requests, ['GET /2016-08-19/account-settings in eu-west-1']);
  });

  test('is compared with the same quota', async () => {
    answer = QUOTA;
    assert.equal((await run(['diff'])).cdk, 'diff|1000|');
  });

  for (const [place, args, environment] of [
    ['the setting', [], { MEDIA_GENERATION_REGION: 'us-west-2' }],
    ['an argument', ['-c', 'region=us-west-2'], {}],
  ] as const)
    test(`asks in the region of ${place}`, async () => {
      answer = QUOTA;
      await run(['deploy', ...args], environment);
      assert.deepEqual(requests, ['GET /2016-08-19/account-settings in us-west-2']);
    });

  test('has the quota of a new account if the role may not read it', async () => {
    answer = DENIED;
    const { errors, cdk } = await run(['deploy']);
    assert.equal(
      errors,
      'lambdaConcurrencyQuota is 10, as in a new account, because lambda:GetAccountSettings is not allowed.\n',
    );
    assert.equal(cdk, 'deploy||');
  });

  for (const [place, args, environment, passed] of [
    [QUOTA_VARIABLE, [], { [QUOTA_VARIABLE]: '50' }, 'deploy|50|'],
    ['the command line', ['-c', 'lambdaConcurrencyQuota=50'], {}, 'deploy|-c|lambdaConcurrencyQuota=50||'],
    [
      'the command line',
      ['--context=lambdaConcurrencyQuota=50'],
      {},
      'deploy|--context=lambdaConcurrencyQuota=50||',
    ],
  ] as const)
    test(`keeps a quota from ${place} with ${args.join(' ') || 'no arguments'}`, async () => {
      const { errors, cdk } = await run(['deploy', ...args], environment);
      assert.equal(errors, `lambdaConcurrencyQuota is 50, as set in ${place}.\n`);
      assert.equal(cdk, passed);
      assert.deepEqual(requests, []);
    });

  test('does not start without a region', async () => {
    const config = join(folder, 'no-config');
    const { code, errors } = await run(['deploy'], {
      AWS_REGION: '',
      AWS_DEFAULT_REGION: '',
      AWS_CONFIG_FILE: config,
      AWS_SHARED_CREDENTIALS_FILE: config,
    });
    assert.equal(code, 1);
    assert.equal(errors, 'There is no AWS region: set AWS_REGION to the region of the stack.\n');
  });
});

describe('the documented roles of the pipeline may read the quota:', () => {
  test('the role that deploys', async () => {
    const [policy = ''] = codeBlocks(['docs/security.md', '## Deployment permissions'], 'json');
    const request = { principal: 'deploy', action: 'lambda:GetAccountSettings', resource: '*', context: {} };
    assert.ok(await isAllowedBy([JSON.parse(policy)], request));
  });

  test('the role that compares', () => {
    const roles = tableRows(['docs/deploy.md', '## GitHub Actions pipeline']);
    const [, needs] = roles.find(([name]) => name === '`AWS_DIFF_ROLE_ARN`') ?? [];
    assert.match(needs ?? '', /`lambda:GetAccountSettings`/);
  });
});
