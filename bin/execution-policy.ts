import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { misuse, readOptions, runCommand } from '../lib/command.ts';
import { boundaryPolicy } from '../lib/deployment/boundary.ts';
import { executionPolicies } from '../lib/deployment/execution-policy.ts';
import { deployTemplate } from '../lib/local/template/deployed-template.ts';
import { templateSchema } from '../lib/local/template/template.ts';
import { createApp } from '../lib/stack.ts';

const USAGE = `Writes IAM policies for the stack with the current settings: execution-1.json and so on, with which
CloudFormation deploys it, and boundary.json, the permissions boundary of its roles.

Usage: npm run execution-policy -- --account ACCOUNT_ID --region REGION [options]

  --boundary NAME   the name of the boundary (default STACK-boundary)
  --qualifier NAME  of the bootstrap (default hnb659fds)
  --output DIR      the folder for the files (default: this one)`;

const OPTIONS = {
  account: { type: 'string' },
  region: { type: 'string' },
  boundary: { type: 'string' },
  qualifier: { type: 'string', default: 'hnb659fds' },
  output: { type: 'string', default: '.' },
} as const;

await runCommand(USAGE, async (args) => {
  const { account, region, qualifier, output, ...given } = readOptions({ args, options: OPTIONS }).values;
  if (account === undefined || region === undefined) throw misuse('--account and --region are required');
  // Neither the code of the functions nor the checks change the template.
  process.env.CDK_VALIDATION = 'false';
  process.env.CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:bundling-stacks': [] });
  const outdir = await mkdtemp(join(tmpdir(), 'execution-policy-'));
  try {
    const { app, config } = createApp({ outdir, config: { account, region } });
    const { stackName } = config;
    const template = templateSchema.parse(app.synth().getStackByName(stackName).template);
    const { resources } = deployTemplate(template, { region, accountId: account, stackName });
    const boundary = given.boundary ?? `${stackName}-boundary`;
    const deployment = { stackName, account, region, qualifier, boundary, resources };
    await mkdir(output, { recursive: true });
    for (const [name, policy] of [
      ['boundary', boundaryPolicy(deployment)],
      ...executionPolicies(deployment).map((policy, index) => [`execution-${index + 1}`, policy] as const),
    ] as const) {
      const file = join(output, `${name}.json`);
      // IAM does not count white space.
      await writeFile(file, `${JSON.stringify(policy, undefined, 2)}\n`);
      console.log(file);
    }
  } finally {
    await rm(outdir, { recursive: true });
  }
});
