import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startDeployedStack } from './deployed-stack.ts';
import { runCommand } from './run-command.ts';

const CURRENT = 'MediaGeneration-KeysTable1A2B3C4D-NEW';
const KEPT = 'MediaGeneration-KeysTable1A2B3C4D-OLD';
const AUDIT = 'MediaGeneration-AuditTable1A2B3C4D';
const OUTPUTS = {
  BaseUrl: 'https://api.example.com/',
  KeyTableName: CURRENT,
  MemberTableName: 'MediaGeneration-MembersTable1A2B3C4D',
  AuditTableName: AUDIT,
};

type Deployed = Awaited<ReturnType<typeof startDeployedStack>>;

const using = async (
  options: Parameters<typeof startDeployedStack>[0],
  act: (deployed: Deployed) => Promise<void>,
) => {
  const deployed = await startDeployedStack(options);
  try {
    await act(deployed);
  } finally {
    await deployed.close();
  }
};

describe('npm run keys with --stack', () => {
  test('uses the table of the stack, not one that an earlier deployment retained', () =>
    using({ outputs: OUTPUTS, tables: [KEPT, CURRENT, AUDIT] }, async (deployed) => {
      const where = ['--stack', 'MediaGeneration'];
      const args = ['create', '--account', 'acme', ...where];
      const created = await runCommand('keys', args, deployed.environment);
      assert.equal(created.code, 0, created.errors);
      assert.match(created.output, /^mgk_/);
      assert.deepEqual([deployed.countItems(CURRENT), deployed.countItems(KEPT)], [1, 0]);
      // The audit entry is written together with the key.
      assert.equal(deployed.countItems(AUDIT), 1);
      assert.match((await runCommand('keys', ['list', ...where], deployed.environment)).output, /acme/);
    }));

  test('reports that the stack does not exist', () =>
    using({ tables: [CURRENT] }, async ({ environment }) => {
      const { code, errors } = await runCommand('keys', ['list', '--stack', 'MediaGeneration'], environment);
      assert.deepEqual(
        [code, errors.trim()],
        [1, 'There is no stack MediaGeneration in this account and region.'],
      );
    }));

  for (const [problem, environment, sentence] of [
    ['there is no region', { AWS_REGION: '' }, /^There is no AWS region: set AWS_REGION .*\.$/],
    [
      'there are no credentials',
      { AWS_REGION: 'us-east-1', AWS_EC2_METADATA_DISABLED: 'true' },
      /^There are no AWS credentials: .*\.$/,
    ],
  ] as const)
    test(`reports that ${problem}`, async () => {
      const none = { AWS_CONFIG_FILE: 'none', AWS_SHARED_CREDENTIALS_FILE: 'none', AWS_PROFILE: '' };
      const { code, errors } = await runCommand('keys', ['list', '--stack', 'MediaGeneration'], {
        ...none,
        ...environment,
      });
      assert.equal(code, 1);
      assert.match(errors.trim(), sentence);
    });

  test('reports that the stack has no output with the table', () =>
    using({ outputs: { BaseUrl: 'x' }, tables: [CURRENT] }, async ({ environment }) => {
      const { code, errors } = await runCommand('keys', ['list', '--stack', 'MediaGeneration'], environment);
      assert.deepEqual(
        [code, errors.trim()],
        [1, 'The stack has no output KeyTableName: it belongs to another version or another service.'],
      );
    }));

  test('rejects a budget without prices, and names the setting', () =>
    using(
      { outputs: { ...OUTPUTS, PriceCurrency: 'none' }, tables: [CURRENT] },
      async ({ environment, countItems }) => {
        const where = ['--account', 'acme', '--stack', 'MediaGeneration'];
        const { code, errors } = await runCommand(
          'keys',
          ['create', '--monthly-budget', '20', ...where],
          environment,
        );
        assert.deepEqual(
          [code, errors.trim(), countItems(CURRENT)],
          [1, 'A monthly budget requires prices: set the setting prices of the stack first.', 0],
        );
      },
    ));
});
