import * as z from 'zod';
import {
  AwsError,
  type AwsRequest,
  type CrossOrigin,
  elements,
  elementText,
  elementTexts,
  errorReply,
} from '../aws-http/service.ts';
import type { Database } from '../sqlite.ts';
import { type BucketCall, malformedXml, type Operation, readTarget } from './operation.ts';
import { readXml } from './request-body.ts';

const Row = z.object({ cors: z.string() });

type CorsRule = {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  readonly maxAge: string | undefined;
};

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'DELETE']);

const toRule = (rule: string): CorsRule => ({
  origins: elementTexts(rule, 'AllowedOrigin'),
  methods: elementTexts(rule, 'AllowedMethod'),
  headers: elementTexts(rule, 'AllowedHeader'),
  exposed: elementTexts(rule, 'ExposeHeader'),
  maxAge: elementText(rule, 'MaxAgeSeconds'),
});

/** S3 requires an origin and a method, and allows one `*` in an origin or header. */
const isValid = ({ origins, methods, headers }: CorsRule): boolean =>
  origins.length > 0 &&
  methods.length > 0 &&
  methods.every((method) => METHODS.has(method)) &&
  [...origins, ...headers].every((pattern) => pattern.split('*').length <= 2);

const parseRules = (xml: string): readonly CorsRule[] => elements(xml, 'CORSRule').map(toRule);

/** Undefined for a bucket without rules. */
const corsRules = (database: Database, bucket: string): readonly CorsRule[] | undefined => {
  const row = database.prepare('SELECT cors FROM buckets WHERE name = ? AND cors IS NOT NULL').get(bucket);
  return row === undefined ? undefined : parseRules(Row.parse(row).cors);
};

const saveCors = ({ database, bucket }: BucketCall, xml: string | null): void =>
  void database.prepare('UPDATE buckets SET cors = ? WHERE name = ?').run(xml, bucket);

export const putCors: Operation<BucketCall> = async (call) => {
  const xml = await readXml(call);
  const rules = parseRules(xml);
  if (rules.length === 0 || rules.length > 100 || !rules.every(isValid)) throw malformedXml();
  saveCors(call, xml);
  return { status: 200, headers: {} };
};

export const deleteCors: Operation<BucketCall> = async (call) => {
  saveCors(call, null);
  return { status: 204, headers: {} };
};

/** A pattern has at most one `*`. */
const matches = (pattern: string, text: string): boolean => {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
};

type Asked = { readonly origin: string; readonly method: string; readonly names: readonly string[] };

const findRule = (rules: readonly CorsRule[], { origin, method, names }: Asked): CorsRule | undefined =>
  rules.find(
    (rule) =>
      rule.methods.includes(method) &&
      rule.origins.some((pattern) => matches(pattern, origin)) &&
      names.every((name) => rule.headers.some((pattern) => matches(pattern.toLowerCase(), name))),
  );

/** S3 allows credentials unless the rule allows every origin. */
const replyHeaders = (rule: CorsRule, { origin, names }: Asked): Record<string, string> => ({
  'access-control-allow-methods': rule.methods.join(', '),
  ...(names.length > 0 ? { 'access-control-allow-headers': names.join(', ') } : {}),
  ...(rule.exposed.length > 0 ? { 'access-control-expose-headers': rule.exposed.join(', ') } : {}),
  ...(rule.maxAge === undefined ? {} : { 'access-control-max-age': rule.maxAge }),
  ...(rule.origins.includes('*')
    ? { 'access-control-allow-origin': '*' }
    : { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }),
  vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
});

const headerNames = (text = ''): string[] =>
  text
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const errorResponse = (status: number, code: string, message: string) =>
  errorReply('xml', new AwsError(status, code, message));

/** Applies the CORS rules of the buckets like S3. */
export const crossOrigin = (database: Database): CrossOrigin => {
  const rulesFor = ({ path }: AwsRequest) => corsRules(database, readTarget(path).bucket);
  return {
    preflight: (request) => {
      const { origin, 'access-control-request-method': method } = request.headers;
      const names = headerNames(request.headers['access-control-request-headers']);
      if (origin === undefined)
        return errorResponse(400, 'BadRequest', 'Insufficient information. Origin request header needed.');
      if (method === undefined)
        return errorResponse(400, 'BadRequest', 'Invalid Access-Control-Request-Method: null');
      const rules = rulesFor(request);
      if (rules === undefined)
        return errorResponse(403, 'AccessForbidden', 'CORSResponse: CORS is not enabled for this bucket.');
      const asked = { origin, method, names };
      const rule = findRule(rules, asked);
      return rule === undefined
        ? errorResponse(403, 'AccessForbidden', 'CORSResponse: This CORS request is not allowed.')
        : { status: 200, headers: replyHeaders(rule, asked) };
    },
    headers: (request) => {
      const { origin } = request.headers;
      if (origin === undefined) return {};
      const asked = { origin, method: request.method, names: [] };
      const rule = findRule(rulesFor(request) ?? [], asked);
      return rule === undefined ? {} : replyHeaders(rule, asked);
    },
  };
};
