import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resultMessage, streamAnswer } from '../../../../functions/agents/api/write-message.ts';
import type { Progress } from '../../../../functions/agents/domain/messages.ts';

const MESSAGE = resultMessage(1, { done: true });
const LAST = `event: message\ndata: ${JSON.stringify(MESSAGE)}\n\n`;

const readAll = async (chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>) => {
  const all: string[] = [];
  for await (const chunk of chunks) all.push(String(chunk));
  return all;
};

const step = (progress: number): Progress => ({ progress, total: 40, message: 'Working' });

describe('a streamed answer', () => {
  test('ends with the message, while work goes on that the function must finish', async () => {
    const work = Promise.withResolvers<void>();
    const { chunks, settled } = streamAnswer(async () => ({ message: MESSAGE, settled: work.promise }), 't');
    assert.equal((await readAll(chunks)).at(-1), LAST);
    let isSettled = false;
    const finished = settled?.then(() => {
      isSettled = true;
    });
    await new Promise(setImmediate);
    assert.equal(isSettled, false);
    work.resolve();
    await finished;
  });

  for (const [title, token, expected] of [
    ['sends increasing progress to a client that asks for it', 't', [1, 3]],
    ['sends no progress to a client that does not ask for it', undefined, []],
  ] as const)
    test(title, async () => {
      const { chunks } = streamAnswer(async (report) => {
        for (const progress of [1, 1, 0, 3]) {
          report(step(progress));
          await new Promise(setImmediate);
        }
        return { message: MESSAGE };
      }, token);
      const sent = (await readAll(chunks)).flatMap((chunk) =>
        Array.from(chunk.matchAll(/"progress":(\d+)/g), ([, progress]) => Number(progress)),
      );
      assert.deepEqual(sent, expected);
    });
});
