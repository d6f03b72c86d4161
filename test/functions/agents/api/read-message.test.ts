import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readMessage } from '../../../../functions/agents/api/read-message.ts';
import { RpcError } from '../../../../functions/agents/domain/messages.ts';
import { legacyMessage, MODERN, modernMessage } from '../../../support/mcp.ts';

const META = 'io.modelcontextprotocol';
const [VERSION, CAPABILITIES] = [`${META}/protocolVersion`, `${META}/clientCapabilities`];
const [PING, INITIALIZE] = ['ping', 'initialize'].map((method) => legacyMessage({ method }).body);

const read = (headers: Readonly<Record<string, string>>, body: unknown) => {
  const all: Readonly<Record<string, string>> = { 'content-type': 'application/json', ...headers };
  return readMessage((name) => all[name], typeof body === 'string' ? body : JSON.stringify(body));
};
/** The status, the code and the id, which an error has as soon as it is known. */
const refusal = (headers: Readonly<Record<string, string>>, body: unknown) => {
  try {
    read(headers, body);
  } catch (error) {
    if (error instanceof RpcError) return [error.status, error.code, error.details.id];
    throw error;
  }
  return assert.fail('accepted');
};

const { headers: HEADERS, body: BODY } = modernMessage({
  method: 'tools/call',
  params: { name: 'get_video' },
});
const withHeader = (name: string, value: string) => ({ ...HEADERS, [name]: value });
const without = (name: string) =>
  Object.fromEntries(Object.entries(HEADERS).filter(([header]) => header !== name));
const withName = (name: unknown) => ({ ...BODY, params: { ...Object(BODY.params), name } });
const GET_TASK = { ...BODY, method: 'tasks/get' };
const NAME = Buffer.from('get_video').toString('base64');
const withMeta = (meta: unknown) => ({ ...BODY, params: { name: 'get_video', _meta: meta } });

test('reads a request of each era', () => {
  assert.deepEqual(read(HEADERS, BODY), {
    era: 'modern',
    id: 1,
    method: 'tools/call',
    params: Object(BODY.params),
    acceptsTasks: false,
    progressToken: undefined,
  });
  const { headers, body } = legacyMessage({ method: 'ping', params: { _meta: { progressToken: 'p' } } });
  assert.deepEqual(read(headers, body), {
    era: 'legacy',
    id: 1,
    method: 'ping',
    params: { _meta: { progressToken: 'p' } },
    acceptsTasks: false,
    progressToken: 'p',
  });
  assert.equal(Object(read({}, body)).era, 'legacy');
});

test('knows clients that accept tasks', () => {
  const wire = modernMessage({ method: 'ping' }, { extensions: { [`${META}/tasks`]: {} } });
  assert.equal(Object(read(wire.headers, wire.body)).acceptsTasks, true);
});

test('does not answer notifications and responses', () => {
  assert.equal(read({}, { jsonrpc: '2.0', method: 'notifications/initialized' }), 'unanswered');
  for (const response of [{ result: {} }, { error: {} }])
    assert.equal(read({}, { jsonrpc: '2.0', id: 1, ...response }), 'unanswered');
});

describe('refuses', () => {
  const cases: readonly [string, Readonly<Record<string, string>>, unknown, [number, number, number?]][] = [
    ['another content type', { 'content-type': 'text/plain' }, BODY, [415, -32600]],
    ['text that is not JSON', {}, '{', [400, -32700]],
    ['an empty body', {}, '', [400, -32700]],
    ['a batch', {}, [BODY], [400, -32600]],
    ['a body that is too large', {}, ' '.repeat(262_145), [413, -32600]],
    ['a body that is nested too deep', {}, '['.repeat(200), [400, -32600]],
    ['an id of null', {}, { ...BODY, id: null }, [400, -32600]],
    ['an id that is too large', {}, '{"jsonrpc":"2.0","id":1e999,"method":"ping"}', [400, -32600]],
    ['another version of JSON-RPC', {}, { ...BODY, jsonrpc: '1.0' }, [400, -32600, 1]],
    ['a method that is not text', {}, { ...BODY, method: 1 }, [400, -32600, 1]],
    ['a name header without a name', withHeader('mcp-name', 'x'), withName(1), [400, -32020, 1]],
    ['a task header without a task', withHeader('mcp-method', 'tasks/get'), GET_TASK, [400, -32020, 1]],
    ['a message without a method', {}, { jsonrpc: '2.0', id: 1 }, [400, -32600, 1]],
    ['a response of a modern client', HEADERS, { jsonrpc: '2.0', id: 1, result: {} }, [400, -32600, 1]],
    ['params that are a list', {}, { ...BODY, params: [] }, [400, -32602, 1]],
    ['_meta that is not an object', HEADERS, withMeta('x'), [400, -32602, 1]],
    ['a missing version header', without('mcp-protocol-version'), BODY, [400, -32020, 1]],
    ['another version', withHeader('mcp-protocol-version', '2025-11-25'), BODY, [400, -32020, 1]],
    ['a missing method header', without('mcp-method'), BODY, [400, -32020, 1]],
    ['another method in the header', withHeader('mcp-method', 'tools/list'), BODY, [400, -32020, 1]],
    ['a missing name header', without('mcp-name'), BODY, [400, -32020, 1]],
    ['another name in the header', withHeader('mcp-name', 'x'), BODY, [400, -32020, 1]],
    ['a name before Base64', withHeader('mcp-name', `x=?base64?${NAME}?=`), BODY, [400, -32020, 1]],
    ['a name after Base64', withHeader('mcp-name', `=?base64?${NAME}?=x`), BODY, [400, -32020, 1]],
    ['a legacy version that it does not know', { 'mcp-protocol-version': '2001' }, PING, [400, -32000, 1]],
    ['initialize with a modern header', { 'mcp-protocol-version': MODERN }, INITIALIZE, [400, -32020, 1]],
  ];
  for (const [title, headers, body, expected] of cases)
    test(title, () => assert.deepEqual(refusal(headers, body), [expected[0], expected[1], expected[2]]));

  test('a version that it does not know, and names those that it does', () => {
    const version = `2027-01-01${'0'.repeat(60)}`;
    const body = withMeta({ [VERSION]: version, [CAPABILITIES]: {} });
    const data = { supported: [MODERN], requested: version.slice(0, 64) };
    assert.throws(() => read(withHeader('mcp-protocol-version', version), body), {
      code: -32022,
      details: { id: 1, data },
    });
  });

  test('an incomplete envelope, and names what is missing', () => {
    for (const [meta, missing] of [
      [{}, [VERSION, CAPABILITIES]],
      [{ [VERSION]: 1 }, [VERSION]],
      [{ [VERSION]: MODERN }, [CAPABILITIES]],
    ] as const)
      assert.throws(() => read(HEADERS, withMeta(meta)), {
        message: `params._meta must have ${missing.join(' and ')}.`,
        details: { id: 1, data: { envelope: { missing } } },
      });
  });
});

test('reads a name in Base64, or between spaces', () => {
  for (const name of [`=?base64?${NAME}?=`, ' get_video '])
    assert.equal(Object(read(withHeader('mcp-name', name), BODY)).method, 'tools/call', name);
});

test('reads a message of 256 KB, and any version header of initialize', () => {
  const text = JSON.stringify(PING);
  assert.equal(Object(read({}, text.padEnd(262_144))).method, 'ping');
  assert.equal(Object(read({ 'mcp-protocol-version': '2001' }, INITIALIZE)).era, 'legacy');
});

test('needs a name in the header only for methods that it has', () => {
  const { headers, body } = modernMessage({ method: 'tasks/result', params: { taskId: 'x' } });
  const { 'mcp-name': _, ...others } = headers;
  assert.equal(Object(read(others, body)).method, 'tasks/result');
  assert.deepEqual(refusal(others, { ...body, method: 'tasks/get' }), [400, -32020, 1]);
});

test('reads or refuses any message and headers, and never fails', () => {
  const name = fc.constantFrom(
    ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', '_meta', 'name', `${META}/protocolVersion`],
  );
  const value = fc.oneof(fc.constantFrom('2.0', 'tools/call', 'initialize', '__proto__'), fc.jsonValue());
  const fields = fc.dictionary(name, value);
  const header = fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name', 'content-type');
  const text = fc.constantFrom('application/json', MODERN, '=?base64?x?=', '', 'é', 'tools/call');
  fc.assert(
    fc.property(fc.dictionary(header, text), fields, fields, (headers, body, params) => {
      try {
        read(headers, { ...body, ...(body.params === undefined ? {} : { params }) });
      } catch (error) {
        assert.ok(error instanceof RpcError && error.status >= 400 && error.status < 500, String(error));
      }
    }),
    { numRuns: 500, seed: 7 },
  );
});
