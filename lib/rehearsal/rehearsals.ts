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

type RehearsedPart =
  | 'deployment'
  | 'failure'
  | 'diff'
  | 'upgrade'
  | 'removal'
  | 'leastPrivilege'
  | 'import'
  | 'restoredTable';

/** The blocks of commands that the rehearsals type. */
export const REHEARSED: Readonly<Record<RehearsedPart, Place>> = {
  deployment: ['README.md', '## Deployment'],
  failure: [DEPLOY, '### Failed first deployment'],
  diff: [DEPLOY, '## Upgrades'],
  upgrade: [DEPLOY, '## Upgrades', 1],
  removal: [DEPLOY, '## Removal'],
  leastPrivilege: [DEPLOY, '### Least-privilege deployment'],
  import: [DEPLOY, '### Import of retained resources'],
  restoredTable: [DEPLOY, '### Import of retained resources', 1],
};

const expect = (isTrue: boolean, what: string): void => {
  if (!isTrue) throw new Error(`Expected ${what}.`);
};

const expectStatus = ({ findStack }: Account, status: string): void => {
  const found = findStack()?.status;
  expect(found === status, `the stack to be in ${status}, not ${found}`);
};

/** The smoke test asks before it spends money, and `cdk` before it deletes; nobody sits at the terminal. */
const confirmed = (script: string): string =>
  script.replace(/^npm run smoke -- /gm, '$&--yes ').replace(/^npx cdk destroy$/gm, '$& --force');

/** The first commands of the README, without the smoke test. */
const deploy = async (account: Account): Promise<void> => {
  const [commands = ''] = shellBlock(...REHEARSED.deployment).split(/^aws /m);
  await account.type(commands);
  expectStatus(account, 'CREATE_COMPLETE');
};

const deployAndTry = async (account: Account): Promise<void> => {
  await account.type(confirmed(shellBlock(...REHEARSED.deployment)));
  expectStatus(account, 'CREATE_COMPLETE');
};

const update = async (account: Account, setting: string): Promise<readonly string[]> => {
  const before = account.findStack()?.events.length;
  await account.type(`export ${setting}`);
  await account.type(shellBlock(...REHEARSED.upgrade));
  expectStatus(account, 'UPDATE_COMPLETE');
  const events = account.findStack()?.events.slice(before) ?? [];
  return events
    .filter(({ ResourceStatus }) => /^(?:CREATE|UPDATE|DELETE)_COMPLETE$/.test(ResourceStatus))
    .map(({ LogicalResourceId }) => LogicalResourceId);
};

const remove = async (account: Account): Promise<void> => {
  await account.type(confirmed(shellBlock(...REHEARSED.removal)));
  expectStatus(account, 'DELETE_COMPLETE');
  expect((await account.dataResources()).length === 0, 'no data to remain after the removal');
};

/** The README's commands, an update of one function, and the removal. */
const deployment: Rehearsal = {
  name: 'deployment',
  title: 'First deployment, update and removal',
  run: async (account) => {
    await deployAndTry(account);
    const changed = await update(account, 'MEDIA_GENERATION_MAX_QUEUE_MINUTES=90');
    const functions = changed.filter((id) => /^CreateVideo[0-9A-F]{8}$/.test(id));
    expect(functions.length === 1, `only create-video to change, not ${changed.join(', ')}`);
    await remove(account);
  },
};

const gradual: Rehearsal = {
  name: 'gradual-update',
  title: 'Update with a gradual shift of traffic',
  run: async (account) => {
    await deploy(account);
    const setting = 'MEDIA_GENERATION_TRAFFIC_SHIFT=Canary10Percent5Minutes';
    const differences = await account.type(`export ${setting}\n${shellBlock(...REHEARSED.diff)}`);
    expect(differences.includes('AWS::CodeDeploy::Application'), 'cdk diff to show what is added');
    const changed = await update(account, setting);
    expect(
      changed.some((id) => id.startsWith('TrafficShift')),
      'CodeDeploy to be added',
    );
  },
};

const failure: Rehearsal = {
  name: 'failed-deployment',
  title: 'Failed first deployment, and the next one',
  run: async (account) => {
    account.failAt('AWS::ApiGateway::Stage');
    const [bootstrap = ''] = shellBlock(...REHEARSED.deployment).split(/^npm run deploy/m);
    await account.type(bootstrap);
    const { code, output } = await account.shell.try('npm run deploy');
    expect(code !== 0 && output.includes('The rehearsal lets this resource fail.'), 'the deployment to fail');
    expectStatus(account, 'ROLLBACK_COMPLETE');
    const left = await account.dataResources();
    expect(
      left.length > 0 && left.every(({ type }) => type === 'AWS::DynamoDB::Table'),
      `only tables to remain, not ${left.map(({ type }) => type).join(', ')}`,
    );
    const again = await account.shell.try('npm run deploy');
    expect(again.code !== 0, 'the next deployment to be refused');
    await account.type(shellBlock(...REHEARSED.failure));
    account.failAt();
    await account.type('npm run deploy');
    expectStatus(account, 'CREATE_COMPLETE');
  },
};

const importRetained: Rehearsal = {
  name: 'import',
  title: 'Import of what a deleted stack retained',
  run: async (account) => {
    await deploy(account);
    await account.type(
      confirmed('export MEDIA_GENERATION_TERMINATION_PROTECTION=false\nnpm run deploy\nnpx cdk destroy'),
    );
    const left = await account.dataResources();
    expect(left.length > 10, `tables, bucket and secrets to be retained, not only ${left.length} resources`);
    const properties: Readonly<Record<string, string>> = {
      'AWS::DynamoDB::Table': 'TableName',
      'AWS::S3::Bucket': 'BucketName',
      'AWS::SecretsManager::Secret': 'Id',
    };
    const mapping = left.map(({ type, ref, logicalId }) => [logicalId, { [properties[type] ?? '']: ref }]);
    const file = join(account.folder, 'kept.json');
    writeFileSync(file, JSON.stringify(Object.fromEntries(mapping)));
    await account.type(shellBlock(...REHEARSED.import));
    expectStatus(account, 'UPDATE_COMPLETE');
    const kept = await account.dataResources();
    expect(kept.length === left.length, 'the deployment to use what was imported');
    // Drift is found only on AWS.
    const settings = splitCommands(shellBlock(...REHEARSED.restoredTable)).filter((command) =>
      command.startsWith('aws dynamodb '),
    );
    await account.type(settings.join('\n'));
  },
};

const leastPrivilege: Rehearsal = {
  name: 'least-privilege',
  title: 'Deployment with the least privileges',
  run: async (account) => {
    await account.type('export MEDIA_GENERATION_UPSTREAM=openrouter');
    const script = shellBlock(...REHEARSED.leastPrivilege);
    await account.type(script);
    expectStatus(account, 'CREATE_COMPLETE');
    expect(account.plane.authorizedCalls() > 500, 'the calls of CloudFormation to be authorized');
  },
};

const core: Rehearsal = {
  name: 'core',
  title: 'Deployment without optional features',
  run: async (account) => {
    await account.type("export MEDIA_GENERATION_FEATURES='[]'");
    await deployAndTry(account);
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

const pipeline: Rehearsal = {
  name: 'pipeline',
  title: 'Deployment by a pipeline',
  run: async (account) => {
    const [bootstrap = ''] = shellBlock(...REHEARSED.deployment).split(/^npm run deploy/m);
    await account.type(bootstrap);
    const policy = account.shell.fill(jsonBlock(DEPLOY, '## Deployment permissions'));
    account.become('pipeline', [JSON.parse(policy)]);
    await account.type(pipelineCommands());
    expectStatus(account, 'CREATE_COMPLETE');
  },
};

export const REHEARSALS: readonly Rehearsal[] = [
  deployment,
  failure,
  importRetained,
  gradual,
  leastPrivilege,
  pipeline,
  core,
];
