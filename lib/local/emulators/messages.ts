import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { BucketRules } from './s3/bucket-rules.ts';

const AwsCall = z
  .object({
    /** The number of the request: one request, such as a transaction, may access several resources. */
    request: z.number(),
    /** Milliseconds since the epoch. */
    time: z.number(),
    principal: z.string(),
    service: z.string(),
    /** IAM action, such as `dynamodb:PutItem`. */
    action: z.string(),
    resource: z.string(),
    status: z.number(),
  })
  .readonly();
export type AwsCall = z.infer<typeof AwsCall>;

/** The resources of a stack that the emulators keep beside tables, which are created by request. */
export const StackResources = z
  .object({
    /** Secret strings by secret id or ARN. */
    secrets: z.record(z.string(), z.string()).readonly(),
    /** Attributes of queues and rules of buckets by name. */
    queues: z.record(z.string(), z.record(z.string(), z.string())).readonly().exactOptional(),
    buckets: z.record(z.string(), BucketRules).readonly().exactOptional(),
    /** Prefixes that each principal may list, by bucket; all other access is allowed. */
    listablePrefixes: z
      .record(z.string(), z.record(z.string(), z.array(z.string()).readonly()).readonly())
      .readonly()
      .exactOptional(),
  })
  .readonly();
export type StackResources = z.infer<typeof StackResources>;

const EmulatorOptions = z
  .object({
    ...StackResources.unwrap().shape,
    dataDir: z.string(),
    region: z.string(),
    accountId: z.string(),
    masterSecret: z.string(),
    port: z.number().exactOptional(),
    /** How long ago the latest moment is that a table can be restored to; default as on AWS. */
    restorableAfterSeconds: z.number().exactOptional(),
  })
  .readonly();
export type EmulatorOptions = z.infer<typeof EmulatorOptions>;

/** The region and account in ARNs. */
export type Home = Pick<EmulatorOptions, 'region' | 'accountId'>;

export const ToChild = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start'), options: EmulatorOptions }),
  /** Asks for the logged calls; first forgets them if told to. */
  z.object({ kind: z.literal('calls'), id: z.number(), forget: z.boolean() }),
  /** Replaces the resources: those that are no longer named are deleted with their content. */
  z.object({ kind: z.literal('provision'), id: z.number(), resources: StackResources }),
]);
export type ToChild = z.infer<typeof ToChild>;

export const FromChild = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), port: z.number() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({ kind: z.literal('calls'), id: z.number(), calls: z.array(AwsCall).readonly() }),
  z.object({ kind: z.literal('provisioned'), id: z.number(), refused: z.string().exactOptional() }),
]);
export type FromChild = z.infer<typeof FromChild>;

const PREFIX = 'LOCAL_';

/** The access key id encodes the principal, so that the server needs no list of callers. */
export const accessKeyId = (principal: string): string =>
  `${PREFIX}${Buffer.from(principal, 'utf8').toString('base64url')}`;

export const decodePrincipal = (keyId: string): string | undefined => {
  if (!keyId.startsWith(PREFIX)) return undefined;
  const principal = Buffer.from(keyId.slice(PREFIX.length), 'base64url').toString('utf8');
  return accessKeyId(principal) === keyId ? principal : undefined;
};

export const secretAccessKey = (masterSecret: string, keyId: string): string =>
  createHmac('sha256', masterSecret).update(keyId).digest('base64');
