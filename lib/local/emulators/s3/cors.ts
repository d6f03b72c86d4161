import { AwsError, type AwsRequest, type CrossOrigin, errorReply } from '../aws-http/service.ts';
import type { BucketRules, CorsRule } from './bucket-rules.ts';
import { readTarget } from './operation.ts';

/** A pattern has at most one `*`. */
const matches = (pattern: string, text: string): boolean => {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
};

type Asked = { readonly origin: string; readonly method: string; readonly names: readonly string[] };

const findRule = (rules: readonly CorsRule[], { origin, method, names }: Asked): CorsRule | undefined =>
  rules.find(
    ({ AllowedMethods, AllowedOrigins, AllowedHeaders }) =>
      AllowedMethods.some((allowed) => allowed === method) &&
      AllowedOrigins.some((pattern) => matches(pattern, origin)) &&
      names.every((name) => AllowedHeaders.some((pattern) => matches(pattern.toLowerCase(), name))),
  );

/** S3 allows credentials unless the rule allows every origin. */
const replyHeaders = (rule: CorsRule, { origin, names }: Asked): Record<string, string> => ({
  'access-control-allow-methods': rule.AllowedMethods.join(', '),
  ...(names.length > 0 ? { 'access-control-allow-headers': names.join(', ') } : {}),
  ...(rule.ExposedHeaders.length > 0
    ? { 'access-control-expose-headers': rule.ExposedHeaders.join(', ') }
    : {}),
  ...(rule.MaxAge === undefined ? {} : { 'access-control-max-age': String(rule.MaxAge) }),
  ...(rule.AllowedOrigins.includes('*')
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
export const crossOrigin = (findRules: (bucket: string) => BucketRules | undefined): CrossOrigin => {
  const rulesFor = ({ path }: AwsRequest) => findRules(readTarget(path).bucket)?.CorsConfiguration?.CorsRules;
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
