import * as z from 'zod';
import { AwsError } from '../aws-http/aws-error.ts';
import { elements, textOf, textsOf } from '../aws-http/xml.ts';
import type { Database } from '../sqlite.ts';
import { malformedXml } from './errors.ts';
import { type BucketCall, type Operation, xmlReply } from './operation.ts';
import { readXml } from './request-body.ts';

const Row = z.object({ configuration: z.string() });

export type CorsRule = {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  readonly maxAge: string | undefined;
};

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'DELETE']);

const toRule = (rule: string): CorsRule => ({
  origins: textsOf(rule, 'AllowedOrigin'),
  methods: textsOf(rule, 'AllowedMethod'),
  headers: textsOf(rule, 'AllowedHeader'),
  exposed: textsOf(rule, 'ExposeHeader'),
  maxAge: textOf(rule, 'MaxAgeSeconds'),
});

/** S3 takes one `*` in an origin or a header, and neither a rule without origin nor one without method. */
const isValid = ({ origins, methods, headers }: CorsRule): boolean =>
  origins.length > 0 &&
  methods.length > 0 &&
  methods.every((method) => METHODS.has(method)) &&
  [...origins, ...headers].every((pattern) => pattern.split('*').length <= 2);

const rulesIn = (xml: string): readonly CorsRule[] => elements(xml, 'CORSRule').map(toRule);

const stored = (database: Database, bucket: string): string | undefined => {
  const row = database.prepare('SELECT configuration FROM bucket_cors WHERE bucket = ?').get(bucket);
  return row === undefined ? undefined : Row.parse(row).configuration;
};

export const corsRules = (database: Database, bucket: string): readonly CorsRule[] | undefined => {
  const configuration = stored(database, bucket);
  return configuration === undefined ? undefined : rulesIn(configuration);
};

export const putCors: Operation<BucketCall> = async (call) => {
  const xml = await readXml(call);
  const rules = rulesIn(xml);
  if (rules.length === 0 || rules.length > 100 || !rules.every(isValid)) throw malformedXml();
  call.database
    .prepare('INSERT OR REPLACE INTO bucket_cors (bucket, configuration) VALUES (?, ?)')
    .run(call.bucket, xml);
  return { status: 200, headers: {} };
};

export const getCors: Operation<BucketCall> = async ({ database, bucket }) => {
  const configuration = stored(database, bucket);
  if (configuration === undefined)
    throw new AwsError(404, 'NoSuchCORSConfiguration', 'The CORS configuration does not exist');
  return xmlReply('CORSConfiguration', elements(configuration, 'CORSConfiguration')[0] ?? '');
};

export const deleteCors: Operation<BucketCall> = async ({ database, bucket }) => {
  database.prepare('DELETE FROM bucket_cors WHERE bucket = ?').run(bucket);
  return { status: 204, headers: {} };
};
