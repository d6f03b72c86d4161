import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { taskFields, toolAnswer, toolError } from '../../../functions/agents/api/tool-answer.ts';
import { type Context, callTool, videoTasks } from '../../../functions/agents/call-tool.ts';
import {
  TOOL_NAMES,
  type ToolCall,
  type ToolName,
  ToolRefusal,
} from '../../../functions/agents/domain/tools.ts';
import type { Caller } from '../../../functions/identity/domain/api-key.ts';
import { DomainError } from '../../../functions/platform/domain/errors.ts';
import type { Outcome } from '../../../functions/platform/runtime/http.ts';
import { aTask } from '../../support/builders/task.ts';

const NOW = Date.UTC(2026, 0, 1);
const CALLER: Caller = { account: 'acme', keyId: 'key_1' };
const REQUEST: Context['request'] = {
  ...{ requestId: 'r', method: 'POST', route: '/mcp', path: {}, body: '', prefix: '', sourceIp: '192.0.2.1' },
  ...{ baseUrl: 'https://api.test', publicUrl: 'https://media.test', noteAlias: () => {} },
  ...{ header: () => undefined, query: () => undefined, queryAll: () => [] },
};
const TASK = aTask({ createdAt: NOW });
const SHOWN = { structured: { video_id: TASK.id }, settled: Promise.resolve() };

/** Tools of which each fails with the given error, or has the same result. */
const build = (caller = CALLER, error?: Error) => {
  const calls: ToolCall[] = [];
  const answer = async <Answer>(value: Answer): Promise<Answer> => (error ? Promise.reject(error) : value);
  const handler = async (_: unknown, call: ToolCall) => {
    calls.push(call);
    return answer(SHOWN);
  };
  const find = async (account: string, id: string) => {
    if (account !== 'acme' || id !== TASK.id) throw new DomainError('video_not_found', 'No.');
    return TASK;
  };
  const tools = {
    handlers: Object.assign({}, ...TOOL_NAMES.map((name) => ({ [name]: handler }))),
    tasks: { find, show: async () => SHOWN, cancel: () => answer(TASK) },
  };
  const outcome: Outcome = {};
  const context: Context = {
    ...{ caller, outcome, request: REQUEST, startedAt: NOW },
    loadTools: async () => tools,
    authenticateAgain: async () => ({ ...caller, keyId: 'looked up again' }),
  };
  const call = (tool: ToolName, acceptsTasks = false) =>
    callTool(context, { tool, given: {}, acceptsTasks }, () => {});
  return { calls, outcome, call, tasks: videoTasks(context) };
};

describe('a call of a tool', () => {
  test('has its caller, its addresses and 41 seconds', async ({ mock }) => {
    mock.timers.enable({ apis: ['Date'], now: NOW });
    const { calls, call, outcome } = build();
    assert.deepEqual(await call('get_video', true), { result: toolAnswer(SHOWN), settled: SHOWN.settled });
    const [{ report: _, action, ...rest } = assert.fail()] = calls;
    const told = { caller: CALLER, requestId: 'r', publicUrl: 'https://media.test', deadline: NOW + 41_000 };
    assert.deepEqual(rest, told);
    assert.deepEqual([action.account, action.ip, outcome], ['acme', '192.0.2.1', { tool: 'get_video' }]);
  });

  test('looks the key up again if it makes a link', async () => {
    const { calls, call } = build();
    for (const tool of TOOL_NAMES) await call(tool);
    const again = TOOL_NAMES.filter((_, position) => calls[position]?.caller.keyId !== 'key_1');
    assert.deepEqual(again, ['create_share_link']);
  });

  test('makes nothing for a viewer', async () => {
    const { calls, call } = build({ ...CALLER, role: 'viewer' });
    const results = await Promise.all(TOOL_NAMES.map((tool) => call(tool)));
    const refused = TOOL_NAMES.filter((_, position) => results[position]?.result.isError === true);
    const makers = ['create_video', 'cancel_video', 'generate_image', 'create_upload', 'create_share_link'];
    assert.deepEqual([refused, calls.length], [makers, TOOL_NAMES.length - makers.length]);
  });

  for (const [error, code, seconds] of [
    [new ToolRefusal('No.'), 'price_above_limit', undefined],
    [new DomainError('invalid_request', 'No.', { retryAfterSeconds: 9 }), 'invalid_request', undefined],
    [new DomainError('rate_limited', 'No.', { retryAfterSeconds: 9 }), 'rate_limited', 9],
    [new DomainError('overloaded', 'No.'), 'overloaded', 5],
    [new DomainError('insufficient_quota', 'No.'), 'insufficient_quota', undefined],
    [new DomainError('insufficient_quota', 'No.', { retryAfterSeconds: 9 }), 'insufficient_quota', 9],
  ] as const)
    test(`returns the error ${code} with ${seconds} seconds`, async () => {
      const { call, outcome } = build(CALLER, error);
      assert.deepEqual(await call('get_video'), { result: toolError(code, 'No.', seconds) });
      assert.deepEqual(outcome, { tool: 'get_video', code });
    });

  test('fails with an error of the protocol after a bug', async () => {
    const { call, outcome } = build(CALLER, new Error('secret'));
    const message = 'Something went wrong on our side. (request id r)';
    await assert.rejects(call('get_video'), { name: 'RpcError', code: -32603, message });
    assert.equal(outcome.code, 'internal');
  });
});

describe('the task of a video', () => {
  test('has its status, and is cancelled if that is still possible', async () => {
    const refused = new DomainError('video_in_progress', 'No.');
    for (const { tasks } of [build(), build(CALLER, refused)]) {
      assert.deepEqual(await tasks.get(TASK.id), taskFields(TASK, 5));
      await tasks.cancel(TASK.id);
    }
    await assert.rejects(build(CALLER, new Error('a bug')).tasks.cancel(TASK.id), /a bug/);
  });

  test('is unknown to other accounts, and cannot be cancelled by a viewer', async () => {
    const { tasks } = build({ ...CALLER, account: 'other' });
    for (const call of [tasks.get, tasks.cancel])
      await assert.rejects(call(TASK.id), { code: -32602, message: 'Unknown task.' });
    const viewer = build({ ...CALLER, role: 'viewer' }).tasks;
    await viewer.get(TASK.id);
    await assert.rejects(viewer.cancel(TASK.id), { code: 'insufficient_permissions' });
  });
});
