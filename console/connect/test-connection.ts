import { PREFIX } from '../environment.ts';
import { texts } from '../texts/texts.ts';

/** Lists the tools as a client would: with the key, and without the session of the console. */
export const testConnection = async (key: string): Promise<string> => {
  const response = await fetch(`${PREFIX}/mcp`, {
    method: 'POST',
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result, error }: { result?: { tools: unknown[] }; error?: { message: string } } =
    await response.json();
  if (result === undefined) throw new Error(error?.message ?? String(response.status));
  return texts.connect.works(result.tools.length);
};
