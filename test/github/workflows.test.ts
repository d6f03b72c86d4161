import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import * as z from 'zod';

const PROJECT = join(import.meta.dirname, '..', '..');
const WORKFLOWS = join(PROJECT, '.github', 'workflows');

const permissions = z.record(z.string(), z.string());
const step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
});
const job = z.looseObject({
  uses: z.string().optional(),
  permissions,
  environment: z.unknown().optional(),
  'timeout-minutes': z.number().optional(),
  steps: z.array(step).default([]),
});
const workflowSchema = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions,
  concurrency: z.object({ group: z.string(), 'cancel-in-progress': z.union([z.boolean(), z.string()]) }),
  jobs: z.record(z.string(), job),
});
type Workflow = z.infer<typeof workflowSchema>;

const read = (text: string): Workflow => workflowSchema.parse(parse(text));
const stepsIn = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);
const scriptsIn = (workflow: Workflow): string[] => stepsIn(workflow).flatMap(({ run }) => run ?? []);

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')));

/** `id-token` is needed to assume an AWS role. */
const MOST: Readonly<Record<string, string>> = { contents: 'read', 'id-token': 'write' };

const unknownCommands = (workflow: Workflow): readonly string[] =>
  scriptsIn(workflow)
    .flatMap((script) =>
      Array.from(script.matchAll(/npm run (?:--silent |-s )?([\w:-]+)/g), ([, name = '']) => name),
    )
    .filter((name) => scripts[name] === undefined);

const pinProblems = (text: string): readonly string[] =>
  Array.from(text.matchAll(/^\s*(?:- )?uses: (.+)$/gm), ([, use = '']) => use).filter(
    (use) => !use.startsWith('./') && !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use),
  );

const excessivePermissions = ({ permissions: all, jobs }: Workflow): readonly string[] => [
  ...Object.keys(all).map((name) => `all jobs: ${name}`),
  ...Object.entries(jobs).flatMap(([name, { permissions: own, steps }]) => {
    const usesAws = steps.some(({ uses }) => uses?.startsWith('aws-actions/'));
    return Object.entries(own)
      .filter(([scope, level]) => MOST[scope] !== level || (scope === 'id-token' && !usesAws))
      .map(([scope, level]) => `${name}: ${scope}: ${level}`);
  }),
];

/** A called workflow sets the timeouts of its own jobs. */
const jobsWithoutTimeout = ({ jobs }: Workflow): readonly string[] =>
  Object.entries(jobs)
    .filter(([, one]) => one.uses === undefined && one['timeout-minutes'] === undefined)
    .map(([name]) => name);

/** An expression in a script could run text of a pull request as code. */
const expressionsInScripts = (workflow: Workflow): readonly string[] =>
  scriptsIn(workflow).filter((script) => script.includes('${' + '{'));

const SECRET = /secrets\.|aws-access-key-id|aws-secret-access-key|AWS_SECRET/i;

const files = readdirSync(WORKFLOWS).toSorted();
const texts = new Map(files.map((file) => [file, readFileSync(join(WORKFLOWS, file), 'utf8')]));
const workflow = (file: string): Workflow => read(texts.get(file) ?? assert.fail(file));

test('the workflows are deploy, diff and test', () => {
  assert.deepEqual(files, ['deploy.yml', 'diff.yml', 'test.yml']);
});

for (const [file, text] of texts)
  describe(`the workflow ${file}`, () => {
    test('runs only npm scripts that exist', () => assert.deepEqual(unknownCommands(read(text)), []));
    test('pins every action to a commit and names its version', () =>
      assert.deepEqual(pinProblems(text), []));
    test('has only the permissions that its jobs need', () =>
      assert.deepEqual(excessivePermissions(read(text)), []));
    test('limits the time of every job', () => assert.deepEqual(jobsWithoutTimeout(read(text)), []));
    test('uses no stored keys', () => assert.doesNotMatch(text, SECRET));
    test('puts no expression into a script', () => assert.deepEqual(expressionsInScripts(read(text)), []));
    test('leaves no token in the checkout', () => {
      const checkouts = stepsIn(read(text)).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
      assert.ok(checkouts.every((one) => one.with['persist-credentials'] === false));
    });
    test('is never run by a pull request with the rights of the base branch', () =>
      assert.ok(!('pull_request_target' in read(text).on)));
  });

describe('the deployment', () => {
  const { on, jobs, concurrency } = workflow('deploy.yml');
  const deploy = jobs.deploy ?? assert.fail('there is no job deploy');

  test('starts from main or by hand', () => {
    assert.deepEqual(on, { push: { branches: ['main'] }, workflow_dispatch: null });
  });

  test('waits for the tests, an approval and the previous deployment', () => {
    assert.deepEqual([deploy.needs, jobs.test?.uses], ['test', './.github/workflows/test.yml']);
    assert.equal(Object(deploy.environment).name, 'production');
    assert.equal(concurrency['cancel-in-progress'], false);
  });

  test('checks the service after the deployment', () => {
    const runs = deploy.steps.flatMap(({ run }) => run ?? []);
    const position = (pattern: RegExp) => runs.findIndex((run) => pattern.test(run));
    assert.ok(position(/npm run deploy/) >= 0);
    assert.ok(position(/curl .*openapi\.json/) > position(/npm run deploy/));
    assert.ok(position(/npm run --silent smoke/) > position(/npm run deploy/));
  });
});

test('pull requests are compared by template, with a role that cannot deploy', () => {
  const [script = ''] = scriptsIn(workflow('diff.yml')).filter((run) =>
    run.includes('npm run --silent diff'),
  );
  assert.match(script, /--method template/);
  assert.match(script, /GITHUB_STEP_SUMMARY/);
  assert.match(texts.get('diff.yml') ?? '', /vars\.AWS_DIFF_ROLE_ARN/);
});

test('the checks detect each problem', () => {
  const careless = `on: { push: {} }
permissions: { contents: write }
concurrency: { group: x, cancel-in-progress: false }
jobs:
  deploy:
    permissions: { contents: read, id-token: write }
    steps:
      - uses: actions/checkout@v4
      - run: npm run deplay -- \${{ github.head_ref }}
      - run: echo \${{ secrets.AWS_SECRET_ACCESS_KEY }}
`;
  assert.deepEqual(unknownCommands(read(careless)), ['deplay']);
  assert.deepEqual(pinProblems(careless), ['actions/checkout@v4']);
  assert.deepEqual(excessivePermissions(read(careless)), ['all jobs: contents', 'deploy: id-token: write']);
  assert.deepEqual(jobsWithoutTimeout(read(careless)), ['deploy']);
  assert.equal(expressionsInScripts(read(careless)).length, 2);
  assert.match(careless, SECRET);
});
