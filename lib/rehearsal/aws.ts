import { readFileSync } from 'node:fs';
import { DeleteObjectsCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { search } from '@jmespath-community/jmespath';
import * as z from 'zod';

/**
 * `aws SERVICE OPERATION --options` with the AWS SDK, as far as the documents need it, so that a rehearsal does not depend
 * on an installed AWS CLI.
 */

const SERVICES: Readonly<Record<string, () => Promise<object>>> = {
  cloudformation: () => import('@aws-sdk/client-cloudformation'),
  dynamodb: () => import('@aws-sdk/client-dynamodb'),
  iam: () => import('@aws-sdk/client-iam'),
  lambda: () => import('@aws-sdk/client-lambda'),
  secretsmanager: () => import('@aws-sdk/client-secrets-manager'),
};

class UsageError extends Error {
  override readonly name = 'UsageError';
}

const pascalCase = (name: string): string =>
  name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

const shorthandValue = (text: string): unknown =>
  text === 'true' || text === 'false' ? text === 'true' : text;

/** `file://name` is the content of a file, and `A=b,C=true` an object where the operation takes one. */
const readValue = (option: string, text: string): unknown => {
  if (text.startsWith('file://')) return readFileSync(text.slice('file://'.length), 'utf8');
  if (!option.endsWith('-specification')) return text;
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), shorthandValue(pair.slice(at + 1))];
    }),
  );
};

type Options = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly query: string;
  readonly isText: boolean;
};

const readOptions = (args: readonly string[]): Options => {
  const input: Record<string, unknown> = {};
  const general = new Map<string, string>();
  for (let at = 0; at < args.length; at += 1) {
    const name = /^--([a-z0-9-]+)$/.exec(args[at] ?? '')?.[1];
    if (name === undefined) throw new UsageError(`Unknown options: ${args[at]}`);
    const value = args[at + 1];
    const isFlag = value === undefined || /^--[a-z]/.test(value);
    if (!isFlag) at += 1;
    if (isFlag) input[pascalCase(name.replace(/^no-/, ''))] = !name.startsWith('no-');
    else if (name === 'query' || name === 'output') general.set(name, value);
    else input[pascalCase(name)] = readValue(name, value);
  }
  return { input, query: general.get('query') ?? '@', isText: general.get('output') === 'text' };
};

const clientSchema = z.custom<new (config: object) => { send: (command: object) => Promise<object> }>(
  (value) => typeof value === 'function',
);
const commandSchema = z.custom<new (input: object) => object>((value) => typeof value === 'function');

const findExport = (module: object, matches: (name: string) => boolean): unknown =>
  Object.entries(module).find(([name]) => matches(name))?.[1];

/** Calls an operation and prints what the query selects of its output. */
const callOperation = async (service: string, operation: string, args: readonly string[]): Promise<void> => {
  const load = Object.hasOwn(SERVICES, service) ? SERVICES[service] : undefined;
  const module = await load?.();
  const Command = module && findExport(module, (name) => name === `${pascalCase(operation)}Command`);
  if (module === undefined || Command === undefined)
    throw new UsageError(`The rehearsal has no operation aws ${service} ${operation}.`);
  const { input, query, isText } = readOptions(args);
  const Client = clientSchema.parse(findExport(module, (name) => /^(?!__).+Client$/.test(name)));
  const { $metadata: _, ...output } = z
    .looseObject({})
    .parse(await new Client({}).send(new (commandSchema.parse(Command))(input)));
  const selected: unknown = search(JSON.parse(JSON.stringify(output)), query);
  if (isText) console.log([selected].flat().join('\t'));
  else if (Object.keys(Object(selected)).length > 0) console.log(JSON.stringify(selected, null, 4));
};

/** `aws s3 rm s3://bucket --recursive` */
const emptyBucket = async (args: readonly string[]): Promise<void> => {
  const [verb, address = '', recursive, ...others] = args;
  const Bucket = /^s3:\/\/([a-z0-9.-]+)\/?$/.exec(address)?.[1];
  if (verb !== 'rm' || Bucket === undefined || recursive !== '--recursive' || others.length > 0)
    throw new UsageError('The rehearsal has only aws s3 rm s3://BUCKET --recursive.');
  const client = new S3Client({});
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    const Objects = Contents.map(({ Key }) => ({ Key }));
    if (Objects.length > 0) await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    for (const { Key } of Objects) console.log(`delete: s3://${Bucket}/${Key}`);
  }
};

const [service = '', ...args] = process.argv.slice(2);
try {
  if (service === 's3') await emptyBucket(args);
  else await callOperation(service, args[0] ?? '', args.slice(1));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  // The exit codes of the AWS CLI.
  process.exitCode = error instanceof UsageError ? 252 : 254;
  console.error(`An error occurred (${error.name}): ${error.message}`);
}
