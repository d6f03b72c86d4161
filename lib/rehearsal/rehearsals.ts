import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod';
import type { Account } from './account.ts';
import { jsonBlock, type Place, PROJECT, shellBlock, splitCommands } from './documents.ts';

export type Rehearsal = {
  readonly name: string;
  readonly title: string;
  readonly run: (account: Account) => Promise<void>;
};

const DEPLOY = 'docs/deploy.md';
const OPERATE = 'docs/operate.md';
const SECURITY = 'docs/security.md';

type RehearsedPart =
  | 'deployment'
  | 'failure'
  | 'diff'
  | 'removal'
  | 'leastPrivilege'
  | 'changedPolicies'
  | 'restore'
  | 'import'
  | 'restoredTable';

/** The blocks of commands that the rehearsals type. */
export const REHEARSED: Readonly<Record<RehearsedPart, Place>> = {
  deployment: ['README.md', '## Deployment'],
  failure: [DEPLOY, '### Failed first deployment'],
  diff: [DEPLOY, '## Upgrades'],
  removal: [DEPLOY, '## Removal'],
  leastPrivilege: [SECURITY, '### Least-privilege deployment'],
  changedPolicies: [SECURITY, '### Least-privilege deployment', 1],
  restore: [OPERATE, '### Restore to a moment'],
  import: [OPERATE, '### Import of retained resources'],
  restoredTable: [OPERATE, '### Import of retained resources', 1],
};

const expect = (isTrue: boolean, what: string): void => {
  if (!isTrue) throw new Error(`Expected ${what}.`);
};

const expectStatus = ({ findStack }: Account, status: string): void => {
  const found = findStack()?.status;
  expect(found === status, `the stack to be in ${status}, not ${found}`);
};

/** The README's commands before and after the first deployment. */
const [BEFORE = '', AFTER = ''] = shellBlock(...REHEARSED.deployment).split(/^npm run deploy.*$/m);

/** Types a script that updates the stack, and returns the ids of what it changed. */
const update = async (account: Account, script: string): Promise<readonly string[]> => {
  const before = account.findStack()?.events.length;
  await account.type(script);
  expectStatus(account, 'UPDATE_COMPLETE');
  const events = account.findStack()?.events.slice(before) ?? [];
  return events
    .filter(({ ResourceStatus }) => /^(?:CREATE|UPDATE|DELETE)_COMPLETE$/.test(ResourceStatus))
    .map(({ LogicalResourceId }) => LogicalResourceId);
};

/** The README's commands, an update of one function, and the removal. */
const deployment: Rehearsal = {
  name: 'deployment',
  title: 'First deployment, update and removal',
  run: async (account) => {
    await account.type(shellBlock(...REHEARSED.deployment));
    expectStatus(account, 'CREATE_COMPLETE');
    // One check of the template is enough: the others differ little.
    account.shell.export({ CDK_VALIDATION: 'false' });
    const [unprotect = '', destroy = ''] = shellBlock(...REHEARSED.removal).split(/^(?=aws s3 )/m);
    const changed = await update(account, `export MEDIA_GENERATION_MAX_QUEUE_MINUTES=90\n${unprotect}`);
    const functions = changed.filter((id) => /^CreateVideo[0-9A-F]{8}$/.test(id));
    expect(functions.length === 1, `create-video to change, not only ${changed.join(', ')}`);
    await account.type(destroy);
    expectStatus(account, 'DELETE_COMPLETE');
    expect((await account.dataResources()).length === 0, 'no data to remain after the removal');
  },
};

const failFirstDeployment = async (account: Account): Promise<void> => {
  account.failAt('AWS::ApiGateway::Stage');
  await account.type(BEFORE);
  const { code, output } = await account.shell.try('npm run deploy');
  expect(code !== 0 && output.includes('The rehearsal lets this resource fail.'), 'the deployment to fail');
  expectStatus(account, 'ROLLBACK_COMPLETE');
  const left = await account.dataResources();
  expect(
    left.length > 0 && left.every(({ type }) => type === 'AWS::DynamoDB::Table'),
    `only tables to remain, not ${left.map(({ type }) => type).join(', ')}`,
  );
  await account.type(shellBlock(...REHEARSED.failure));
  account.failAt();
};

/** Copies the tables and compares them, which changes nothing. */
const rehearseRestore = async (account: Account): Promise<void> => {
  const [command = ''] = splitCommands(shellBlock(...REHEARSED.restore));
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const report = await account.type(command.replace(/\d{4}-\d{2}-\d{2}T[\d:]+Z/, now));
  expect(report.includes('Rehearsal: nothing was changed.'), 'the restore to be rehearsed');
};

const IDENTIFIERS: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Id',
};

const importRetained = async (account: Account): Promise<void> => {
  const left = await account.dataResources();
  expect(left.length > 10, `tables, bucket and secrets to be retained, not only ${left.length} resources`);
  const mapping = left.map(({ type, ref, logicalId }) => [logicalId, { [IDENTIFIERS[type] ?? '']: ref }]);
  writeFileSync(join(account.folder, 'kept.json'), JSON.stringify(Object.fromEntries(mapping)));
  await account.type(shellBlock(...REHEARSED.import));
  expectStatus(account, 'UPDATE_COMPLETE');
  const kept = (await account.dataResources()).filter(({ type }) => Object.hasOwn(IDENTIFIERS, type));
  expect(kept.length === left.length, 'the deployment to use what was imported');
  // Drift is found only on AWS.
  const settings = splitCommands(shellBlock(...REHEARSED.restoredTable)).filter((command) =>
    command.startsWith('aws dynamodb '),
  );
  await account.type(settings.join('\n'));
};

const KEY = 'arn:aws:kms:REGION:ACCOUNT_ID:key/11111111-2222-3333-4444-555555555555';

const recovery: Rehearsal = {
  name: 'recovery',
  title: 'Failed first deployment, restore, and import of what a deleted stack retained, with a KMS key',
  run: async (account) => {
    await account.type(`export MEDIA_GENERATION_KMS_KEY_ARN=${KEY}`);
    await failFirstDeployment(account);
    await account.type('export MEDIA_GENERATION_TERMINATION_PROTECTION=false\nnpm run deploy');
    expectStatus(account, 'CREATE_COMPLETE');
    await rehearseRestore(account);
    await account.type('npx cdk destroy');
    expectStatus(account, 'DELETE_COMPLETE');
    await importRetained(account);
  },
};

const workflowSchema = z.object({
  jobs: z.record(
    z.string(),
    z.object({ steps: z.array(z.object({ run: z.string().optional() })).default([]) }),
  ),
});

/** The commands of the workflow that deploys, between the installation and the smoke test. */
const pipelineCommands = (): string => {
  const { jobs } = workflowSchema.parse(
    parseYaml(readFileSync(join(PROJECT, '.github', 'workflows', 'deploy.yml'), 'utf8')),
  );
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
  return commands.filter((run) => run.startsWith('npm run deploy')).join('\n');
};

const leastPrivilege: Rehearsal = {
  name: 'least-privilege',
  title: 'Core with the least privileges, then a gradual update by a pipeline',
  run: async (account) => {
    await account.type("export MEDIA_GENERATION_UPSTREAM=openrouter MEDIA_GENERATION_FEATURES='[]'");
    await account.type(shellBlock(...REHEARSED.leastPrivilege));
    expectStatus(account, 'CREATE_COMPLETE');
    expect(account.plane.authorizedCalls() > 400, 'the calls of CloudFormation to be authorized');
    await account.type(AFTER);
    await account.type('export MEDIA_GENERATION_TRAFFIC_SHIFT=Canary10Percent5Minutes');
    const differences = await account.type(shellBlock(...REHEARSED.diff));
    expect(differences.includes('AWS::CodeDeploy::Application'), 'cdk diff to show what is added');
    await account.type(shellBlock(...REHEARSED.changedPolicies));
    const policy = account.shell.fill(jsonBlock(SECURITY, '## Deployment permissions'));
    account.become('pipeline', [JSON.parse(policy)]);
    const changed = await update(account, pipelineCommands());
    expect(
      changed.some((id) => id.startsWith('TrafficShift')),
      'CodeDeploy to be added',
    );
  },
};

export const REHEARSALS: readonly Rehearsal[] = [recovery, deployment, leastPrivilege];
