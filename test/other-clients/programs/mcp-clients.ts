import assert from 'node:assert/strict';
import { createMCPClient } from '@ai-sdk/mcp';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMCPClient as createMCPClient1 } from 'ai-sdk-mcp-1';

/** Every client of the Model Context Protocol does the same with its own means. */

const url = `${process.env.BASE_URL}/mcp`;
const headers = { Authorization: `Bearer ${process.env.API_KEY}` };
const info = { name: 'test', version: '1.0.0' };

type Call = (name: string, given: Record<string, unknown>) => Promise<unknown>;

/** Clients return the result, or its text alone. */
const readFields = (result: unknown): Record<string, unknown> => {
  if (typeof result === 'string') return JSON.parse(result);
  const { structuredContent, content, isError } = Object(result);
  assert.notEqual(isError, true, JSON.stringify(result));
  const [first] = Array.isArray(result) ? result : (content ?? []);
  return structuredContent ?? readFields(Array.isArray(first) ? first[0] : first.text);
};

const useAll = async (name: string, tools: readonly string[], call: Call): Promise<void> => {
  const get = async (tool: string, given: Record<string, unknown>) => readFields(await call(tool, given));
  assert.equal(tools.length, 12);
  const { price } = await get('estimate_price', {
    kind: 'video',
    model: 'video-3.1-generate-preview',
    seconds: 4,
  });
  assert.match(String(price), /^\d+\.\d+$/);
  const created = await get('create_video', {
    prompt: `A cat for ${name}`,
    model: 'video-3.1-generate-preview',
    seconds: 4,
    max_price: String(price),
  });
  const video = await get('get_video', { video_id: created.video_id, wait_seconds: 40 });
  assert.equal(video.status, 'completed');
  const file = await fetch(String(video.url));
  assert.equal(file.headers.get('content-type'), 'video/mp4');
  assert.equal(Buffer.from(await file.arrayBuffer()).toString('latin1', 4, 8), 'ftyp');
  const { images } = await get('generate_image', { prompt: `A fox for ${name}`, image_size: '1K' });
  const [image] = Object(images);
  const share = await get('create_share_link', { file_id: image.file_id });
  assert.equal((await fetch(String(share.url))).status, 200);
  console.log(`${name}: ok`);
};

const withSdk1 = async (
  name: string,
  transport: ConstructorParameters<typeof StreamableHTTPClientTransport> | StdioClientTransport,
) => {
  const client = new Client(info);
  await client.connect(
    Array.isArray(transport) ? new StreamableHTTPClientTransport(...transport) : transport,
  );
  const { tools } = await client.listTools();
  let reports = 0;
  const onprogress = () => {
    reports += 1;
  };
  await useAll(
    name,
    tools.map((tool) => tool.name),
    (tool, given) => client.callTool({ name: tool, arguments: given }, undefined, { onprogress }),
  );
  assert.ok(reports > 0, 'no progress was reported');
  await client.close();
};

const withSdk2 = async (name: string, mode: 'legacy' | 'auto' | { pin: string }, era: string) => {
  const client = new Client2(info, { versionNegotiation: { mode } });
  await client.connect(new Transport2(new URL(url), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  await useAll(
    name,
    tools.map((tool) => tool.name),
    (tool, given) => client.callTool({ name: tool, arguments: given }),
  );
  assert.equal(client.getNegotiatedProtocolVersion?.() ?? era, era);
  await client.close();
};

const withAiSdk = async (name: string, create: typeof createMCPClient) => {
  const client = await create({ transport: { type: 'http', url, headers } });
  const tools = await client.tools();
  await useAll(name, Object.keys(tools), (tool, given) =>
    Object(tools[tool]).execute(given, { toolCallId: '1', messages: [] }),
  );
  await client.close();
};

const withLangchain = async () => {
  const client = new MultiServerMCPClient({ mcpServers: { media: { transport: 'http', url, headers } } });
  const tools = await client.getTools();
  await useAll(
    'LangChain',
    tools.map(({ name }) => name),
    async (tool, given) => tools.find(({ name }) => name === tool)?.invoke(given),
  );
  await client.close();
};

await withSdk1('SDK 1', [new URL(url), { requestInit: { headers } }]);
await withSdk2('client 2, default', 'legacy', '2025-11-25');
await withSdk2('client 2, auto', 'auto', '2026-07-28');
await withSdk2('client 2, pinned', { pin: '2026-07-28' }, '2026-07-28');
await withAiSdk('AI SDK 2', createMCPClient);
await withAiSdk('AI SDK 1', createMCPClient1);
await withLangchain();
await withSdk1(
  'mcp-remote',
  new StdioClientTransport({
    command: process.execPath,
    args: [
      'node_modules/mcp-remote/dist/proxy.js',
      url,
      '--allow-http',
      '--transport',
      'http-only',
      '--header',
      `Authorization:${headers.Authorization}`,
    ],
    stderr: 'ignore',
  }),
);
