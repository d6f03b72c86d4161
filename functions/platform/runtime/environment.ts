import * as z from 'zod/mini';
import { FEATURES as ALL_FEATURES } from '../domain/features.ts';

/**
 * The environment variables that functions share. Each Lambda exports the shape of its own environment as `ENVIRONMENT`
 * and parses it at start-up; the stack must provide the same variables, or it does not compile.
 */
export const text = z.string().check(z.minLength(1));
export const wholeNumber = z.pipe(z.string().check(z.regex(/^[1-9]\d*$/)), z.transform(Number));
export const seconds = wholeNumber;
/** A number that may be 0. */
const count = z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number));
/** 0 means none. */
const limit = z.pipe(
  count,
  z.transform((number) => (number === 0 ? undefined : number)),
);
export const json = <T extends z.core.$ZodType<unknown, unknown>>(schema: T) =>
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
export const texts = z.record(z.string(), z.string());

/** The features of the deployment, for functions that describe it or serve several features. */
export const FEATURES = { FEATURES: json(z.array(z.enum(ALL_FEATURES))) };

export const SESSIONS = { SESSION_TABLE: text };
/** Absent without the feature people: then no key and no session belongs to a person. */
export const MEMBERS = { MEMBER_TABLE: z.optional(text) };
/** The same table, for functions of the feature. */
export const PEOPLE = { MEMBER_TABLE: text };
export const AUDIT = { AUDIT_TABLE: text };
/** Callers with an API key. */
export const KEY_HOLDERS = { ...MEMBERS, ACCOUNT_REQUESTS_PER_SECOND: limit };
export const KEYS = { KEY_TABLE: text, ...SESSIONS, ...KEY_HOLDERS };
export const TASKS = { TASK_TABLE: text };
export const ACCOUNTS = { ACCOUNT_TABLE: text };
/** The storage for kept items: its counter, and the limit of accounts that have none of their own. */
export const KEPT_STORAGE = { ...ACCOUNTS, KEPT_STORAGE_MEGABYTES: count };
/** Reservations are written together with the counters of their account. */
export const RESERVATIONS = { ...ACCOUNTS, RESERVATION_TABLE: text };
/** Charges are written together with the daily sums, and end their reservation. */
export const CHARGES = { CHARGE_TABLE: text, USAGE_TABLE: text, ...RESERVATIONS };
export const STEP_QUEUE = { STEP_QUEUE_URL: text };
/** Absent without the feature webhooks: then no event is sent. */
export const WEBHOOK_QUEUE = { WEBHOOK_QUEUE_URL: z.optional(text) };
export const WEBHOOKS = { WEBHOOK_ENDPOINT_TABLE: text };
export const WEBHOOK_SECRETS = { ...WEBHOOKS, WEBHOOK_SECRET_ARN: text };
export const WEBHOOK_DELIVERIES = { ...WEBHOOKS, WEBHOOK_DELIVERY_TABLE: text };
export const MEDIA = { MEDIA_BUCKET: text };
export const FILES = { FILE_TABLE: text, ...MEDIA };
export const SHARES = { SHARE_TABLE: text };
/** Share links, and the items that they lead to. */
export const SHARED_ITEMS = { ...SHARES, ...TASKS, FILE_TABLE: text };
/** The host of signed URLs, for the policy of a page. */
export const MEDIA_HOST = { MEDIA_HOST: text };
export const PUBLIC_ADDRESS = { PUBLIC_BASE_URL: z.string() };
/** The shared state of the upstreams; empty if there is only one without limits, which needs none. */
export const UPSTREAM_STATE = { UPSTREAM_TABLE: z.string() };
/** The largest request that the upstream accepts. */
export const REQUEST_SIZE = { UPSTREAM_REQUEST_MEGABYTES: wholeNumber };

/** Whether input images are accepted by address. */
const trueOrFalse = z.pipe(
  z.enum(['true', 'false']),
  z.transform((flag) => flag === 'true'),
);
export const REMOTE_IMAGES = { REMOTE_IMAGES: trueOrFalse };
/** Whether requests can name an address for the event of their end. */
export const CALLBACKS = { HAS_WEBHOOKS: trueOrFalse };

/** How long generated images are kept; undefined if they are not stored. */
export const IMAGE_RETENTION = { IMAGE_RETENTION_SECONDS: limit };

/** The module of a Lambda, as the stack knows it. */
export type LambdaModule = { readonly ENVIRONMENT: Readonly<Record<string, z.core.SomeType>> };

/** The variables that the stack must provide for a Lambda; that of a feature is undefined if the stack leaves it out. */
export type Variables<Module extends LambdaModule> = [Module] extends [never]
  ? never
  : {
      readonly [Variable in keyof Module['ENVIRONMENT']]: undefined extends z.input<
        Module['ENVIRONMENT'][Variable]
      >
        ? string | undefined
        : string;
    };

export type Environment<Shape extends z.core.$ZodLooseShape> = z.infer<z.ZodMiniObject<Shape, z.core.$strip>>;

/** Parses the environment at start-up, so that a missing variable fails before the first request. */
export const readEnvironment = <Shape extends z.core.$ZodLooseShape>(shape: Shape): Environment<Shape> => {
  const parsed = z.safeParse(z.object(shape), process.env);
  if (parsed.success) return parsed.data;
  const variables = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new Error(`missing or malformed environment variables: ${variables.join(', ')}`);
};

/** Only in the local cloud may addresses that clients choose be on this machine, without TLS. */
export const publicUrlRules = () => ({ allowLoopbackHttp: process.env.ALLOW_LOOPBACK === 'true' });
