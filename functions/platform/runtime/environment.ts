import * as z from 'zod/mini';
import { DEFAULT_ALIASES, type ModelAliases } from '../domain/model-aliases.ts';

/**
 * What each function needs from its environment. The shapes are read here at start-up, and their types
 * are what the constructs must provide: a misspelt or missing variable fails the compiler on either side.
 */
const text = z.string().check(z.minLength(1));
const wholeNumber = z.pipe(
  z.string().check(z.regex(/^[1-9]\d*$/)),
  z.transform((digits) => Number(digits)),
);
const seconds = wholeNumber;
/** Zero is none. */
const limit = z.pipe(
  z.string().check(z.regex(/^\d+$/)),
  z.transform((digits) => (digits === '0' ? undefined : Number(digits))),
);
const json = <T extends z.core.$ZodType<unknown, unknown>>(schema: T) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((content, context): unknown => {
        try {
          return JSON.parse(content);
        } catch {
          context.issues.push({ code: 'custom', message: 'not JSON', input: content });
          return z.NEVER;
        }
      }),
    ),
    schema,
  );
const texts = z.record(z.string(), z.string());

/** What tells who calls: a key or a console session. */
const SESSION_ENVIRONMENT = { SESSION_TABLE: text };
export const CALLER_ENVIRONMENT = { ...SESSION_ENVIRONMENT, ACCOUNT_REQUESTS_PER_SECOND: limit };
const keys = { KEY_TABLE: text, ...CALLER_ENVIRONMENT };
const tasks = { TASK_TABLE: text };
const accounts = { ACCOUNT_TABLE: text };
/** A reservation is made and ended together with the counters of its account. */
const reservations = { ...accounts, RESERVATION_TABLE: text };
/** A charge is written with its daily sum and the end of its reservation. */
const charges = { CHARGE_TABLE: text, USAGE_TABLE: text, ...reservations };
const queue = { STEP_QUEUE_URL: text };
const webhooks = { WEBHOOK_QUEUE_URL: text };
const webhookEndpoints = { WEBHOOK_ENDPOINT_TABLE: text };
const webhookSecrets = { ...webhookEndpoints, WEBHOOK_SECRET_ARN: text };
const webhookDeliveries = { ...webhookEndpoints, WEBHOOK_DELIVERY_TABLE: text };
const media = { MEDIA_BUCKET: text };
const files = { FILE_TABLE: text, ...media };
const publicAddress = { PUBLIC_BASE_URL: z.string() };
const upstream = {
  UPSTREAM_BASE_URL: text,
  UPSTREAM_KEY_HEADER: text,
  UPSTREAM_MODELS: json(texts),
  UPSTREAM_SECRET_ARN: text,
};
const prices = { PRICES: json(z.object({ currency: text, videoSecond: texts, image: texts })) };

const models = {
  MODEL_ALIASES: z.pipe(
    json(texts),
    z.transform((given): ModelAliases => ({ ...DEFAULT_ALIASES, ...given })),
  ),
};

/** What holds for an account that has no limits of its own; a missing one is none. */
const limits = {
  ...accounts,
  ...prices,
  ACCOUNT_LIMITS: json(
    z.object({
      monthlyBudget: z.optional(z.string()),
      videosAtOnce: z.optional(z.number()),
      createsPerMinute: z.optional(z.number()),
    }),
  ),
};

/** What the upstream takes in one request. */
const requestSize = { UPSTREAM_REQUEST_MEGABYTES: wholeNumber };
const creation = {
  ...keys,
  ...models,
  ...tasks,
  ...queue,
  ...files,
  ...limits,
  ...reservations,
  ...requestSize,
  MAX_QUEUE_SECONDS: seconds,
};
const images = { ...keys, ...models, ...charges, ...upstream, ...limits };

export const ENVIRONMENTS = {
  'create-video': creation,
  'create-generation': creation,
  'list-videos': { ...keys, ...tasks },
  'get-video': { ...keys, ...tasks },
  'delete-video': { ...keys, ...tasks, ...charges, ...webhooks, ...media },
  'download-video': { ...keys, ...tasks, ...media },
  'get-generation': { ...keys, ...tasks, ...publicAddress },
  'predict-long-running': creation,
  'get-operation': { ...keys, ...tasks, ...publicAddress },
  'download-file': { ...keys, ...tasks, ...media },
  'create-file': { ...keys, ...files, FILE_STORAGE_MEGABYTES: wholeNumber, FILE_RETENTION_SECONDS: seconds },
  'list-files': { ...keys, FILE_TABLE: text },
  'get-file': { ...keys, ...files },
  'get-file-content': { ...keys, ...files },
  'delete-file': { ...keys, ...files },
  'not-offered': { ...keys },
  'list-models': { ...keys, ...models },
  'get-model': { ...keys, ...models },
  'list-native-models': { ...keys },
  'get-native-model': { ...keys, ...models },
  'create-session': { ...SESSION_ENVIRONMENT },
  'get-session': {
    ...keys,
    ...publicAddress,
    ...limits,
    VIDEO_RETENTION_SECONDS: seconds,
    SAMPLE_GENERATOR: z.enum(['true', 'false']),
  },
  'list-sessions': { ...keys },
  'end-session': { ...keys },
  'create-link': { ...keys, ...publicAddress },
  'list-keys': { ...keys },
  'create-key': { ...keys, ...prices },
  'create-service-account-key': { ...keys, ...prices },
  'revoke-key': { ...keys },
  'get-costs': { ...keys, USAGE_TABLE: text },
  'get-video-usage': { ...keys, USAGE_TABLE: text },
  'get-image-usage': { ...keys, USAGE_TABLE: text },
  'list-charges': { ...keys, CHARGE_TABLE: text },
  'get-spend-limit': { ...keys, ...limits },
  'list-rate-limits': { ...keys, ...limits },
  'create-webhook': { ...keys, ...webhookSecrets },
  'list-webhooks': { ...keys, ...webhookEndpoints },
  'get-webhook': { ...keys, ...webhookEndpoints },
  'update-webhook': { ...keys, ...webhookEndpoints },
  'delete-webhook': { ...keys, ...webhookEndpoints },
  'rotate-webhook-secret': { ...keys, ...webhookSecrets },
  'test-webhook': { ...keys, ...webhookSecrets },
  'list-webhook-event-types': { ...keys },
  'list-webhook-deliveries': { ...keys, ...webhookDeliveries },
  'resend-webhook-delivery': { ...keys, ...webhookDeliveries, ...webhooks },
  'get-console': { MEDIA_HOST: text },
  'get-openapi': {},
  'unknown-route': {},
  'generate-content': { ...images, ...files, ...requestSize },
  'chat-completions': { ...images, ...files, ...requestSize },
  'generate-images': images,
  'edit-images': { ...images, ...files, ...requestSize },
  'video-worker': {
    ...tasks,
    ...charges,
    ...queue,
    ...webhooks,
    ...media,
    ...upstream,
    ...prices,
    WORKER_CONCURRENCY: wholeNumber,
    FETCH_CLAIM_SECONDS: seconds,
    VIDEO_RETENTION_SECONDS: seconds,
  },
  'webhook-worker': {
    ...webhookSecrets,
    ...webhooks,
    WEBHOOK_DELIVERY_TABLE: text,
    WEBHOOK_CONCURRENCY: wholeNumber,
  },
  sweeper: {
    ...tasks,
    ...reservations,
    ...queue,
    ...webhooks,
    WEBHOOK_DELIVERY_TABLE: text,
    SWEEP_GRACE_SECONDS: seconds,
  },
  'remove-leftovers': { ...tasks, ...files },
  'dead-letter': { ...tasks, ...charges, ...webhooks, ...media },
} as const satisfies Record<string, Record<string, z.core.SomeType>>;

/** Set by the local cloud and by no stack: receivers of webhooks may be on this machine, without TLS. */
export const LOCAL_ENVIRONMENT = { WEBHOOK_LOOPBACK: z._default(z.enum(['true', 'false']), 'false') };

export type FunctionName = keyof typeof ENVIRONMENTS;
type Shape<Name extends FunctionName> = (typeof ENVIRONMENTS)[Name];

/** The variables that the stack must give to a function: all of the shape's, as text. */
export type Variables<Name extends FunctionName> = { readonly [Variable in keyof Shape<Name>]: string };

export const readEnvironment = <S extends z.core.$ZodLooseShape>(
  shape: S,
): z.infer<z.ZodMiniObject<S, z.core.$strip>> => {
  const parsed = z.safeParse(z.object(shape), process.env);
  if (parsed.success) return parsed.data;
  const variables = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new Error(`missing or malformed environment variables: ${variables.join(', ')}`);
};
