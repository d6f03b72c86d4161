import { spawnSync } from 'node:child_process';
import { readCdkContext } from '../lib/cdk-context.ts';
import { runCommand } from '../lib/command.ts';
import { NEW_ACCOUNT_QUOTA } from '../lib/concurrency.ts';
import { environmentName } from '../lib/config.ts';

const USAGE = `Runs cdk deploy or cdk diff with the quota of concurrent functions that the account has.

Usage: npm run deploy -- [options of cdk deploy]
       npm run diff -- [options of cdk diff]

The setting lambdaConcurrencyQuota comes from the environment, the command line or cdk.json. If it is in none of them,
it is the quota of the account in the region, which needs the permission lambda:GetAccountSettings.

npx cdk deploy --help and npx cdk diff --help list the options of cdk.`;

const QUOTA = 'lambdaConcurrencyQuota';

/** The value of `-c name=value`, in each form that `cdk` accepts. */
const contextArgument = (args: readonly string[], name: string): string | undefined =>
  args.map((arg) => new RegExp(`^(?:-c=?|--context=)?${name}=(.*)$`).exec(arg)?.[1]).find(isText);

const isText = (value: unknown): value is string => typeof value === 'string';

/** The value of a setting, by the precedence of the app, and where it was found. */
const findSetting = (args: readonly string[], name: string) => {
  const variable = environmentName(name);
  const sources: readonly (readonly [value: unknown, place: string])[] = [
    [process.env[variable], variable],
    [contextArgument(args, name), 'the command line'],
    [readCdkContext()[name], 'cdk.json'],
  ];
  return sources.find(([value]) => value !== undefined);
};

/** `--profile name` and `--profile=name`. */
const profileArgument = (args: readonly string[]): string | undefined =>
  args.flatMap((arg, index) =>
    arg === '--profile' ? (args[index + 1] ?? []) : (/^--profile=(.+)$/.exec(arg)?.[1] ?? []),
  )[0];

/** `cdk` deploys to the region of the setting, and otherwise to that of the credentials. */
const findLocation = (args: readonly string[]) => {
  const [given] = findSetting(args, 'region') ?? [];
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const region = [given, AWS_REGION, AWS_DEFAULT_REGION].find((value) => isText(value) && value !== '');
  const profile = profileArgument(args);
  return { ...(isText(region) && { region }), ...(profile !== undefined && { profile }) };
};

/** The variables for `cdk`, and a sentence about the quota. */
const chooseQuota = async (args: readonly string[]) => {
  const [value, place] = findSetting(args, QUOTA) ?? [];
  if (value !== undefined) return { variables: {}, sentence: `${QUOTA} is ${value}, as set in ${place}.` };
  // Imported late, since a given quota needs no SDK.
  const { readAccountQuota } = await import('../lib/operator/account-quota.ts');
  const quota = await readAccountQuota(findLocation(args));
  if (quota === undefined)
    return {
      variables: {},
      sentence: `${QUOTA} is ${NEW_ACCOUNT_QUOTA}, as in a new account, because lambda:GetAccountSettings is not allowed.`,
    };
  return {
    variables: { [environmentName(QUOTA)]: `${quota.concurrentExecutions}` },
    sentence: `${QUOTA} is ${quota.concurrentExecutions}, the quota of the account in ${quota.region}.`,
  };
};

await runCommand(USAGE, async ([command = '', ...args]) => {
  const { variables, sentence } = await chooseQuota(args);
  console.error(sentence);
  const env = { ...process.env, ...variables };
  const { status, error } = spawnSync('cdk', [command, ...args], { stdio: 'inherit', env });
  if (error !== undefined) throw error;
  process.exitCode = status ?? 1;
});
