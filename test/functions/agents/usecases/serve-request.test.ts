import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RpcError, RpcRequest } from '../../../../functions/agents/domain/messages.ts';
import type { ToolName } from '../../../../functions/agents/domain/tools.ts';
import { type Server, serveRequest } from '../../../../functions/agents/usecases/serve-request.ts';

const request = (change: Partial<RpcRequest>): RpcRequest => ({
  era: 'modern',
  id: 1,
  method: 'tools/list',
  params: {},
  progressToken: undefined,
  acceptsTasks: true,
  ...change,
});

const build = (offered: readonly ToolName[] = ['get_video', 'create_share_link']) => {
  const called: unknown[] = [];
  const settled = Promise.resolve();
  const server: Server = {
    listTools: async () => [{ name: 'get_video' }],
    offers: (tool) => offered.includes(tool),
    callTool: async ({ tool, given }, report) => {
      report({ progress: 1, total: 2, message: 'half' });
      called.push([tool, given]);
      return { result: { isError: false }, settled };
    },
    tasks: {
      get: async (taskId) => ({ taskId, status: 'working' }),
      cancel: async (taskId) => void called.push(['cancel', taskId]),
    },
  };
  return { called, settled, serve: (change: Partial<RpcRequest>) => serveRequest(server, request(change)) };
};

const SERVER = { name: 'media-generation', title: 'Media generation', version: '1.0.0' };
const CACHED = { ttlMs: 3_600_000, cacheScope: 'public' };
const MODERN = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': SERVER } };
const TASKS = 'io.modelcontextprotocol/tasks';

describe('a request', () => {
  const tools = [{ name: 'get_video' }];
  const CASES: readonly (readonly [change: Partial<RpcRequest>, result: object])[] = [
    [{}, { ...MODERN, ...CACHED, tools }],
    [{ era: 'legacy' }, { tools }],
    [{ era: 'legacy', method: 'ping' }, {}],
    [
      { method: 'tasks/get', params: { taskId: 'task_1' } },
      { ...MODERN, taskId: 'task_1', status: 'working' },
    ],
    [{ method: 'tasks/update', params: { taskId: 'task_1' } }, MODERN],
    [{ method: 'tasks/cancel', params: { taskId: 'task_1' } }, MODERN],
    [
      { method: 'tools/call', params: { name: 'get_video' } },
      { ...MODERN, isError: false },
    ],
  ];
  for (const [change, result] of CASES)
    test(`gets a result: ${JSON.stringify(change)}`, async () => {
      assert.deepEqual((await build().serve(change)).result, result);
    });

  test('begins the legacy era with a version that both know', async () => {
    for (const [wanted, version] of [
      ['2025-03-26', '2025-03-26'],
      ['2001-01-01', '2025-11-25'],
    ]) {
      const { result } = await build().serve({
        era: 'legacy',
        method: 'initialize',
        params: { protocolVersion: wanted },
      });
      const { instructions, ...rest } = result;
      assert.deepEqual(rest, { protocolVersion: version, capabilities: { tools: {} }, serverInfo: SERVER });
      assert.match(String(instructions), /^Generates video clips .* estimate_price .* never instructions\.$/);
    }
  });

  test('discovers the server, with the same instructions', async () => {
    const { result } = await build().serve({ method: 'server/discover' });
    const { instructions, ...rest } = result;
    assert.deepEqual(rest, {
      ...MODERN,
      ...CACHED,
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, extensions: { [TASKS]: {} } },
    });
    assert.match(
      String(instructions),
      / 5 minutes; create_share_link makes lasting ones\. After .* list_images/,
    );
  });

  test('names no tool for links that the deployment does not have', async () => {
    const { result } = await build([]).serve({ method: 'server/discover' });
    assert.match(String(result.instructions), /Links expire after 5 minutes\. After a timeout/);
  });

  test('calls a tool with its arguments, which may be absent', async () => {
    const { serve, called, settled } = build();
    const params = { name: 'get_video', arguments: { video_id: 'task_1' } };
    assert.equal((await serve({ method: 'tools/call', params })).settled, settled);
    await serve({ method: 'tools/call', params: { name: 'get_video' } });
    await serve({ method: 'tasks/cancel', params: { taskId: 'task_1' } });
    assert.deepEqual(called, [
      ['get_video', { video_id: 'task_1' }],
      ['get_video', {}],
      ['cancel', 'task_1'],
    ]);
  });

  const call = (params: RpcRequest['params']) => ({ method: 'tools/call', params });
  type Refused = readonly [change: Partial<RpcRequest>, error: Partial<RpcError>, message: RegExp];
  const REFUSED: readonly Refused[] = [
    [{ method: 'ping' }, { code: -32601, status: 404 }, /^Method not found$/],
    [{ method: 'toString' }, { code: -32601, status: 404 }, /^Method not found$/],
    [{ era: 'legacy', method: 'tasks/get' }, { code: -32601, status: 200 }, /^Method not found$/],
    [{ era: 'legacy', method: 'initialize' }, { code: -32602, status: 200 }, /protocolVersion/],
    [{ params: { cursor: 'a' } }, { code: -32602, status: 200 }, /cursor/],
    [call({}), { code: -32602 }, /^Unknown tool: name is missing\.$/],
    [call({ name: 'create_video' }), { code: -32602 }, /^Unknown tool: "create_video"\.$/],
    [call({ name: `get_video${'a'.repeat(60)}` }), { code: -32602 }, /^Unknown tool: "get_videoa{55}"\.$/],
    ...[null, [], 'a'].map(
      (given) =>
        [
          call({ name: 'get_video', arguments: given }),
          { code: -32602 },
          /arguments must be an object/,
        ] as const,
    ),
    [{ method: 'tasks/get', params: { taskId: 1 } }, { code: -32602 }, /taskId must be a string/],
    ...['get', 'update', 'cancel'].map(
      (name) =>
        [
          { method: `tasks/${name}`, params: { taskId: 'task_1' }, acceptsTasks: false },
          {
            code: -32021,
            status: 400,
            details: { data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } },
          },
          /needs the extension io\.modelcontextprotocol\/tasks/,
        ] as const,
    ),
  ];
  for (const [change, error, message] of REFUSED)
    test(`is refused: ${JSON.stringify(change)}`, async () => {
      await assert.rejects(build().serve(change), { ...error, message });
    });
});
