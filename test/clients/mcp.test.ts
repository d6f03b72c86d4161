import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { MODEL } from '../support/http.ts';
import { MODERN } from '../support/mcp.ts';
import { readDuration } from '../support/mp4.ts';
import { openSharedService } from '../support/open-service.ts';

const service = await openSharedService();

const connect = async (mode: 'legacy' | 'auto') => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${service.apiKey}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit }));
  const use = async (name: string, given: Record<string, unknown>) => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: given });
    assert.notEqual(isError, true, JSON.stringify(content));
    return Object(structuredContent);
  };
  return { client, use };
};

describe('the MCP client', () => {
  for (const [mode, version] of [
    ['legacy', '2025-11-25'],
    ['auto', MODERN],
  ] as const)
    test(`makes and shares a video and an image, in the mode ${mode}`, async () => {
      const { client, use } = await connect(mode);
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.equal((await client.listTools()).tools.length, 12);
      const options = { model: MODEL, seconds: 4 };
      const { price } = await use('estimate_price', { kind: 'video', ...options });
      assert.equal(price, '1.60');
      const prompt = `A quiet harbour for ${mode}`;
      const { video_id } = await use('create_video', { ...options, prompt, max_price: price });
      const video = await use('get_video', { video_id, wait_seconds: 40 });
      assert.equal(video.status, 'completed');
      const file = await fetch(video.url);
      assert.equal(readDuration(Buffer.from(await file.arrayBuffer())).toFixed(1), '4.0');
      const { images } = await use('generate_image', { prompt, image_size: '512' });
      for (const item of [{ video_id }, { file_id: images[0].file_id }]) {
        const { url } = await use('create_share_link', item);
        assert.equal((await fetch(url)).status, 200);
      }
      await client.close();
    });
});
