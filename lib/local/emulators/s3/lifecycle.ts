import * as z from 'zod';
import { AwsError } from '../aws-http/service.ts';
import { elements, elementText } from '../aws-http/xml.ts';
import { type BucketCall, malformedXml, type Operation, xmlReply } from './operation.ts';
import { readXml } from './request-body.ts';
import type { Stores } from './stores.ts';

const DAY = 24 * 60 * 60 * 1000;

const Row = z.object({ name: z.string(), lifecycle: z.string().nullable() });

type Rule = {
  readonly prefix: string;
  readonly expirationDays: number | undefined;
  readonly abortDays: number | undefined;
};

const daysIn = (xml: string, element: string, name: string): number | undefined => {
  const days = elementText(elements(xml, element)[0] ?? '', name);
  return days === undefined ? undefined : Number(days);
};

const parseRules = (xml: string): Rule[] =>
  elements(xml, 'Rule')
    .filter((rule) => elementText(rule, 'Status') === 'Enabled')
    .map((rule) => ({
      prefix: elementText(rule, 'Prefix') ?? '',
      expirationDays: daysIn(rule, 'Expiration', 'Days'),
      abortDays: daysIn(rule, 'AbortIncompleteMultipartUpload', 'DaysAfterInitiation'),
    }));

export const putLifecycle: Operation<BucketCall> = async (call) => {
  const xml = await readXml(call);
  if (elements(xml, 'Rule').length === 0) throw malformedXml();
  call.database.prepare('UPDATE buckets SET lifecycle = ? WHERE name = ?').run(xml, call.bucket);
  return { status: 200, headers: {} };
};

export const getLifecycle: Operation<BucketCall> = async ({ database, bucket }) => {
  const row = database.prepare('SELECT name, lifecycle FROM buckets WHERE name = ?').get(bucket);
  const { lifecycle } = Row.parse(row);
  if (lifecycle === null) {
    throw new AwsError(404, 'NoSuchLifecycleConfiguration', 'The lifecycle configuration does not exist');
  }
  return xmlReply('LifecycleConfiguration', elements(lifecycle, 'LifecycleConfiguration')[0] ?? '');
};

const applyRule = async ({ objects, uploads }: Stores, bucket: string, rule: Rule, now: number) => {
  const { prefix, expirationDays, abortDays } = rule;
  if (expirationDays !== undefined) {
    const expired: string[] = [];
    for (const { key, modified } of objects.iterate(bucket, prefix)) {
      if (!key.startsWith(prefix)) break;
      if (modified <= now - expirationDays * DAY) expired.push(key);
    }
    for (const key of expired) await objects.remove(bucket, key);
  }
  if (abortDays === undefined) return;
  const abandoned = uploads.olderThan(bucket, now - abortDays * DAY);
  for (const upload of abandoned) if (upload.key.startsWith(prefix)) await uploads.abort(upload);
};

export const applyLifecycles = async (stores: Stores, now: number): Promise<void> => {
  const rows = stores.database.prepare('SELECT name, lifecycle FROM buckets').all();
  for (const row of rows) {
    const { name, lifecycle } = Row.parse(row);
    for (const rule of parseRules(lifecycle ?? '')) await applyRule(stores, name, rule, now);
  }
};
