import { bodyText, type RequestBody } from '../../platform/body/body-text.ts';
import { type BodyFields, isFields, ownField } from '../../platform/body/fields.ts';
import { isJson, isTooDeep } from '../../platform/body/json-body.ts';
import { isOneOf, oneLine } from '../../platform/domain/text.ts';
import {
  LEGACY_VERSIONS,
  type MessageId,
  MODERN_VERSION,
  RpcError,
  type RpcMessage,
  TASKS_EXTENSION,
} from '../domain/messages.ts';

/** Far more than the longest prompt needs. */
const MAX_BODY_BYTES = 256 * 1024;

type Header = (name: string) => string | undefined;

const META = 'io.modelcontextprotocol';
const VERSION_KEY = `${META}/protocolVersion`;
const CAPABILITIES_KEY = `${META}/clientCapabilities`;
const VERSION_HEADER = 'mcp-protocol-version';

const badRequest = (message: string, id?: MessageId): RpcError =>
  new RpcError('invalidRequest', message, 400, { id });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcError('parseError', 'Parse error: the body is not valid JSON.', 400);
  }
};

const readObject = (header: Header, body: RequestBody): BodyFields => {
  if (!isJson(header('content-type')))
    throw new RpcError('invalidRequest', 'The content-type header must be application/json.', 415);
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new RpcError('invalidRequest', `The message is larger than ${MAX_BODY_BYTES} bytes.`, 413);
  const text = bodyText(body);
  if (isTooDeep(text)) throw badRequest('The message is nested too deep.');
  const value = parseJson(text);
  if (Array.isArray(value)) throw badRequest('Batches are not supported: send one message per request.');
  if (!isFields(value)) throw badRequest('The message must be a JSON object.');
  return value;
};

const isId = (value: unknown): value is MessageId =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

/** An id in an error must be the one that the client sent, even if the rest of its message is wrong. */
const readId = (message: BodyFields): MessageId | undefined => {
  const id = ownField(message, 'id');
  if (id === undefined) return undefined;
  if (!isId(id)) throw badRequest('id must be a string or a number.');
  return id;
};

const BASE64_HEADER = /^=\?base64\?([A-Za-z0-9+/=_-]*)\?=$/;

/** Names with other characters than ASCII are sent in Base64. */
const decodeHeader = (value: string): string => {
  const encoded = BASE64_HEADER.exec(value)?.[1];
  return encoded === undefined ? value.trim() : Buffer.from(encoded, 'base64').toString('utf8');
};

/** The parameter that `Mcp-Name` repeats, by method. An unknown method is refused as such, whatever its headers say. */
const NAMED_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

type Envelope = { readonly id: MessageId; readonly method: string; readonly params: BodyFields };

const checkHeader = (header: Header, name: string, expected: string, id: MessageId): void => {
  const value = header(name.toLowerCase());
  if (value !== undefined && decodeHeader(value) === expected) return;
  const problem = value === undefined ? 'is missing' : 'differs from the body';
  throw new RpcError('headerMismatch', `Header mismatch: ${name} ${problem}.`, 400, { id });
};

const checkNames = (header: Header, { id, method, params }: Envelope): void => {
  checkHeader(header, 'Mcp-Method', method, id);
  const parameter = NAMED_PARAMETERS.get(method);
  if (parameter === undefined) return;
  const name = ownField(params, parameter);
  if (typeof name === 'string') checkHeader(header, 'Mcp-Name', name, id);
  else if (header('mcp-name') !== undefined)
    throw new RpcError('headerMismatch', 'Header mismatch: Mcp-Name differs from the body.', 400, { id });
};

const incomplete = (id: MessageId, missing: readonly string[]): RpcError =>
  new RpcError('invalidParams', `params._meta must have ${missing.join(' and ')}.`, 400, {
    id,
    data: { envelope: { missing } },
  });

const readModern = (header: Header, envelope: Envelope, meta: BodyFields): RpcMessage => {
  const { id } = envelope;
  const version = ownField(meta, VERSION_KEY);
  const capabilities = ownField(meta, CAPABILITIES_KEY);
  if (typeof version !== 'string') throw incomplete(id, [VERSION_KEY]);
  if (!isFields(capabilities)) throw incomplete(id, [CAPABILITIES_KEY]);
  checkHeader(header, 'MCP-Protocol-Version', version, id);
  if (version !== MODERN_VERSION)
    throw new RpcError('unsupportedVersion', 'Unsupported protocol version', 400, {
      id,
      data: { supported: [MODERN_VERSION], requested: oneLine(version).slice(0, 64) },
    });
  checkNames(header, envelope);
  const extensions = ownField(capabilities, 'extensions');
  const acceptsTasks = isFields(extensions) && isFields(ownField(extensions, TASKS_EXTENSION));
  return { ...envelope, era: 'modern', acceptsTasks, progressToken: readToken(meta) };
};

const readToken = (meta: BodyFields | undefined): MessageId | undefined => {
  const token = meta === undefined ? undefined : ownField(meta, 'progressToken');
  return isId(token) ? token : undefined;
};

const readLegacy = (header: Header, envelope: Envelope, meta: BodyFields | undefined): RpcMessage => {
  const { id, method } = envelope;
  const version = header(VERSION_HEADER)?.trim();
  if (version === MODERN_VERSION) {
    if (method === 'initialize')
      throw new RpcError('headerMismatch', `initialize is not part of ${MODERN_VERSION}.`, 400, { id });
    throw incomplete(id, [VERSION_KEY, CAPABILITIES_KEY]);
  }
  // The version is negotiated in the body of `initialize`.
  if (version !== undefined && method !== 'initialize' && !isOneOf(LEGACY_VERSIONS, version))
    throw new RpcError(
      'transport',
      `Unsupported MCP-Protocol-Version: send ${[MODERN_VERSION, ...LEGACY_VERSIONS].join(', ')}.`,
      400,
      { id },
    );
  return { ...envelope, era: 'legacy', acceptsTasks: false, progressToken: readToken(meta) };
};

/** The body decides the era; the header is only compared with it. */
const readRequest = (header: Header, envelope: Envelope): RpcMessage => {
  const meta = ownField(envelope.params, '_meta');
  if (meta !== undefined && !isFields(meta))
    throw new RpcError('invalidParams', 'params._meta must be an object.', 400, { id: envelope.id });
  return meta !== undefined && Object.hasOwn(meta, VERSION_KEY)
    ? readModern(header, envelope, meta)
    : readLegacy(header, envelope, meta);
};

/** Reads one message of a POST; an RpcError says what is wrong with it. */
export const readMessage = (header: Header, body: RequestBody): RpcMessage => {
  const message = readObject(header, body);
  const id = readId(message);
  if (ownField(message, 'jsonrpc') !== '2.0') throw badRequest('jsonrpc must be "2.0".', id);
  const method = ownField(message, 'method');
  if (method === undefined) {
    const isResponse = Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error');
    if (isResponse && header(VERSION_HEADER)?.trim() !== MODERN_VERSION) return 'unanswered';
    throw badRequest(isResponse ? 'The server sends no requests.' : 'method is missing.', id);
  }
  if (typeof method !== 'string') throw badRequest('method must be a string.', id);
  if (id === undefined) return 'unanswered';
  const params = ownField(message, 'params') ?? {};
  if (!isFields(params)) throw new RpcError('invalidParams', 'params must be an object.', 400, { id });
  return readRequest(header, { id, method, params });
};
