import * as z from 'zod/mini';
import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { type ApiPart, eventContent, jsonContent, response } from '../../platform/openapi/operation.ts';
import { LEGACY_VERSIONS, MODERN_VERSION } from '../domain/messages.ts';
import { AGENT_ENDPOINTS } from './endpoints.ts';

const messageId = z.union([z.string(), z.number()]);

const SCHEMAS = {
  McpRequest: z
    .looseObject({
      jsonrpc: z.literal('2.0'),
      id: z.optional(messageId),
      method: z.string().check(z.describe('Such as tools/list or tools/call.')),
      params: z.optional(z.looseObject({})),
    })
    .check(z.describe('One JSON-RPC message of the Model Context Protocol.')),
  McpResponse: z
    .looseObject({
      jsonrpc: z.literal('2.0'),
      id: z.nullable(messageId),
      result: z.optional(z.looseObject({})),
      error: z.optional(z.looseObject({ code: z.int(), message: z.string() })),
    })
    .check(z.describe('The result of a request, or its error.')),
};

const REQUESTS = {
  list: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  call: {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'estimate_price', arguments: { kind: 'video', seconds: 8 } },
  },
};

const OPERATIONS = toOperations(AGENT_ENDPOINTS, {
  sendMcpMessage: {
    keysOnly: true,
    description: `The Model Context Protocol, revisions ${[MODERN_VERSION, ...LEGACY_VERSIONS].join(', ')}: tools with which agents create videos and images, by the rules of this API. Nothing is remembered between requests.`,
    body: jsonContent('McpRequest', REQUESTS),
    responses: {
      200: response('The answer; as events if the client accepts them and the call waits.', {
        ...jsonContent('McpResponse', {}),
        ...eventContent('Progress notifications, then the answer.', 'McpResponse'),
      }),
      202: { description: 'A notification was received.' },
    },
  },
});

export const MCP_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS };
