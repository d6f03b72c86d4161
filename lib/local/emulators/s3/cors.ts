import { AwsError, errorReply } from '../aws-http/aws-error.ts';
import type { AwsRequest, CrossOrigin } from '../aws-http/service.ts';
import type { Database } from '../sqlite.ts';
import { type CorsRule, corsRules } from './bucket-cors.ts';
import { readTarget } from './target.ts';

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

/** S3 allows credentials wherever it names the origin, and nowhere else. */
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

const refused = (status: number, code: string, message: string) =>
  errorReply('xml', new AwsError(status, code, message));

/** The CORS rules of the buckets, applied as S3 applies them. */
export const crossOrigin = (database: Database): CrossOrigin => {
  const rulesFor = ({ path }: AwsRequest) => corsRules(database, readTarget(path).bucket);
  return {
    preflight: (request) => {
      const { origin, 'access-control-request-method': method } = request.headers;
      const names = headerNames(request.headers['access-control-request-headers']);
      if (origin === undefined)
        return refused(400, 'BadRequest', 'Insufficient information. Origin request header needed.');
      if (method === undefined)
        return refused(400, 'BadRequest', 'Invalid Access-Control-Request-Method: null');
      const rules = rulesFor(request);
      if (rules === undefined)
        return refused(403, 'AccessForbidden', 'CORSResponse: CORS is not enabled for this bucket.');
      const asked = { origin, method, names };
      const rule = findRule(rules, asked);
      return rule === undefined
        ? refused(403, 'AccessForbidden', 'CORSResponse: This CORS request is not allowed.')
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
