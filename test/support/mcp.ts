import assert from 'node:assert/strict';
import { TOOL_RESULTS } from '../../functions/agents/api/tool-results.ts';
import { isToolName } from '../../functions/agents/domain/tools.ts';
import type { ServiceAccess } from './http.ts';

/** Messages of the Model Context Protocol, and the answers of the endpoint. */

type Fields = Readonly<Record<string, unknown>>;

const META = 'io.modelcontextprotocol';
export const MODERN = '2026-07-28';
const ACCEPT = 'application/json, text/event-stream';

type Message = { readonly method: string; readonly params?: Fields; readonly id?: number };
type Wire = { readonly headers: Readonly<Record<string, string>>; readonly body: Fields };

export const legacyMessage = ({ method, params, id = 1 }: Message): Wire => ({
  headers: { 'mcp-protocol-version': '2025-11-25' },
  body: { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) },
});

export const modernMessage = ({ method, params = {}, id = 1 }: Message, capabilities: Fields = {}): Wire => {
  const name = params.name ?? params.taskId;
  return {
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': String(name) }),
    },
    body: {
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: { [`${META}/protocolVersion`]: MODERN, [`${META}/clientCapabilities`]: capabilities },
      },
    },
  };
};

export type McpAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** All messages of the answer; the last one is the result. */
  readonly messages: readonly Record<string, unknown>[];
  readonly text: string;
};

const readMessages = (type: string, text: string): Record<string, unknown>[] => {
  if (type.startsWith('text/event-stream'))
    return text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)));
  return text === '' ? [] : [JSON.parse(text)];
};

export const sendMcp = async (
  { baseUrl, apiKey }: ServiceAccess,
  { headers, body }: { readonly headers?: Readonly<Record<string, string>>; readonly body: unknown },
): Promise<McpAnswer> => {
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: ACCEPT,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const messages = readMessages(response.headers.get('content-type') ?? '', text);
  return { status: response.status, headers: response.headers, messages, text };
};

/** The result of a tool: its fields, its text and its further content. */
export type ToolAnswer = {
  readonly isError: boolean;
  readonly text: string;
  readonly fields: Record<string, unknown>;
  readonly content: readonly Record<string, unknown>[];
};

export const toToolAnswer = (message: Record<string, unknown> | undefined): ToolAnswer => {
  const { content, structuredContent, isError } = Object(message?.result);
  if (!Array.isArray(content)) throw new Error(`not a result of a tool: ${JSON.stringify(message)}`);
  return {
    isError: isError === true,
    text: String(content[0]?.text),
    fields: Object(structuredContent),
    content: content.slice(1),
  };
};

/** Calls a tool; its result must have the fields that its schema names, and no others. */
export const callTool = async (
  service: ServiceAccess,
  name: string,
  given: Fields = {},
): Promise<ToolAnswer> => {
  const wire = legacyMessage({ method: 'tools/call', params: { name, arguments: given } });
  const answer = toToolAnswer((await sendMcp(service, wire)).messages.at(-1));
  if (!answer.isError && isToolName(name))
    assert.deepEqual(TOOL_RESULTS[name].parse(answer.fields), answer.fields, name);
  return answer;
};
