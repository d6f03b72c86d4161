import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { misuse, Refusal, readOptions, runCommand } from '../lib/command.ts';
import { executionPolicies } from '../lib/deployment/execution-policy.ts';

const USAGE = `Writes the IAM policies that CloudFormation needs to deploy the stack, and no more.

Usage: npm run execution-policy -- --account ACCOUNT_ID --region REGION [options]

  --stack NAME     the name of the stack (default MediaGeneration)
  --boundary NAME  the managed policy that roles must have as their permissions boundary
  --output DIR     the folder for execution-policy-1.json and so on (default: this one)`;

const OPTIONS = {
  account: { type: 'string' },
  region: { type: 'string' },
  stack: { type: 'string', default: 'MediaGeneration' },
  boundary: { type: 'string' },
  output: { type: 'string', default: '.' },
} as const;

await runCommand(USAGE, async (args) => {
  const { account, region, stack, boundary, output } = readOptions({ args, options: OPTIONS }).values;
  if (account === undefined || region === undefined) throw misuse('--account and --region are required');
  if (!/^\d{12}$/.test(account)) throw new Refusal('--account must be the 12 digits of an AWS account.');
  if (!/^[a-z]{2}(-[a-z]+)+-\d$/.test(region))
    throw new Refusal('--region must be an AWS region, such as us-east-1.');
  if (!/^[A-Za-z][A-Za-z0-9-]{0,127}$/.test(stack))
    throw new Refusal('--stack must be the name of a stack: letters, digits and hyphens.');
  await mkdir(output, { recursive: true });
  const policies = executionPolicies({ stackName: stack, account, region, boundary });
  for (const [index, policy] of policies.entries()) {
    const file = join(output, `execution-policy-${index + 1}.json`);
    // IAM does not count white space.
    await writeFile(file, `${JSON.stringify(policy, undefined, 2)}\n`);
    console.log(file);
  }
});
