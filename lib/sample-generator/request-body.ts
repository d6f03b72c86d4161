import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type * as z from 'zod';
import type { Exchange } from './exchange.ts';
import { invalid, UpstreamError } from './upstream-error.ts';

/** The largest request that the service can be configured to send. */
const BODY_LIMIT = 100 * 1024 * 1024;

export const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > BODY_LIMIT) throw invalid(`Request payload size exceeds the limit: ${BODY_LIMIT} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
};

export const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw invalid('Invalid JSON payload received. Unexpected token.');
  }
};

/** Validates a request; each upstream words the error of the first wrong or unknown field in its own way. */
export const validate = <Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  toError: (field: string, message: string) => UpstreamError,
): z.infer<Schema> => {
  const { data, error } = schema.safeParse(input);
  if (error === undefined) return data;
  const [issue] = error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  throw toError([...(issue?.path ?? []), ...unknown].join('.'), issue?.message ?? 'not an object');
};

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** Reads a create request; the digest is the same for the same request. */
export const readJson = async ({ request, recordBody }: Exchange) => {
  const bytes = await readBody(request);
  const body = parseJson(bytes);
  recordBody(body);
  return { body, digest: sha256(bytes) };
};

type FormFile = {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
};

/** The fields are in the order of the form; a name can occur more than once. */
export type Form = {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly FormFile[];
};

const LIMITS = { fieldSize: BODY_LIMIT };

const openParser = (request: IncomingMessage): busboy.Busboy => {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type))
    throw new UpstreamError(415, 'The content type must be multipart/form-data.');
  try {
    return busboy({ headers: { 'content-type': type }, limits: LIMITS, defParamCharset: 'utf8' });
  } catch {
    throw invalid('The content type has no boundary.');
  }
};

const parseForm = (parser: busboy.Busboy, bytes: Buffer): Promise<Form> =>
  new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    const files: FormFile[] = [];
    const fail = () => reject(invalid('The form is malformed or truncated.'));
    parser.on('field', (name, value) => fields.push([name, value]));
    parser.on('file', (field, stream, { filename = '', mimeType }) => {
      const parts: Buffer[] = [];
      stream.on('error', fail);
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('close', () =>
        files.push({ field, name: filename, type: mimeType, bytes: Buffer.concat(parts) }),
      );
    });
    parser.on('error', fail);
    parser.on('close', () => resolve({ fields, files }));
    parser.end(bytes);
  });

/** The values of fields that occur more than once are a list. */
const toRecord = ({ fields, files }: Form) => ({
  fields: Object.fromEntries(
    Map.groupBy(fields, ([name]) => name)
      .entries()
      .map(([name, [only, ...more]]) => [
        name,
        more.length === 0 ? only?.[1] : [only, ...more].map((field) => field?.[1]),
      ]),
  ),
  files: files.map(({ field, name, type, bytes }) => ({ field, name, type, length: bytes.length })),
});

/** Reads a create request that is a form; the digest does not depend on its random boundary. */
export const readForm = async ({ request, recordBody }: Exchange) => {
  const parser = openParser(request);
  const form = await parseForm(parser, await readBody(request));
  recordBody(toRecord(form));
  const files = form.files.map(({ field, bytes }) => [field, sha256(bytes)]);
  return { form, digest: sha256(JSON.stringify([form.fields, files])) };
};

const DATA_URL = /^data:image\/[a-z.+-]{1,40};base64,/;

/** The bytes of an image in a `data:` URL; the sample generator does not fetch others. */
export const readDataUrl = (url: string, field: string): Buffer => {
  const start = DATA_URL.exec(url.slice(0, 100))?.[0];
  if (start === undefined) throw invalid('The image must be a data URL in Base64.', field);
  return Buffer.from(url.slice(start.length), 'base64');
};
