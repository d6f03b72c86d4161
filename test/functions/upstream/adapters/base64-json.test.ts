import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  Base64Decoder,
  type JsonEvent,
  scanJson,
} from '../../../../functions/upstream/adapters/base64-json.ts';
import { openInlineVideo, readOperationState } from '../../../../functions/upstream/adapters/video-format.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const scan = async (text: string, size: number, maxText = 1000): Promise<JsonEvent[]> =>
  Array.fromAsync(scanJson(inPieces(text, size), ['video'], maxText));

const joined = (events: readonly JsonEvent[]): string =>
  events.map((event) => (event.kind === 'piece' ? event.text : `<${event.kind}>`)).join('');

describe('a large value', () => {
  const DOCUMENTS = [
    [
      'between other fields',
      '{"a": 1, "video" :\n "QUJD", "b": [true]}',
      'QUJD',
      '{"a": 1, "video" :\n "", "b": [true]}',
    ],
    ['with escaped slashes and padding', '{"video":"a\\/b\\u003d\\n"}', 'a/b=', '{"video":""}'],
    [
      'after texts with quotes and keys',
      '{"t":"\\"video\\":\\"x\\\\","video":"v"}',
      'v',
      '{"t":"\\"video\\":\\"x\\\\","video":""}',
    ],
    ['that is empty', '{"video":""}', '', '{"video":""}'],
    [
      'after a text of several bytes per character',
      '{"ü🎬":"video","video":"v"}',
      'v',
      '{"ü🎬":"video","video":""}',
    ],
  ] as const;
  for (const [title, text, value, rest] of DOCUMENTS)
    for (const size of [1, 2, 3, 7, 1000])
      test(`${title} is separated from the rest in chunks of ${size} bytes`, async () => {
        const events = await scan(text, size);
        assert.equal(joined(events), `<value>${value}<value-end><end>`);
        assert.deepEqual(events.at(-1), { kind: 'end', document: rest });
      });

  for (const text of [
    '["video","QUJD"]',
    '{"a":"video","b":"QUJD"}',
    '{"video":null,"b":"x"}',
    '{"video":["x"]}',
    '{"x":{"videos":"x"}}',
  ])
    test(`is not found in ${text}`, async () => {
      assert.deepEqual(await scan(text, 1), [{ kind: 'end', document: text }]);
    });

  test('is announced with the document so far, which is valid JSON', async () => {
    const text = '{"done":true,"r":{"list":[{"x":1},{"video":"QUJD"}],"z":1}}';
    for await (const event of scanJson(inPieces(text, 4), ['video'], 1000)) {
      assert.ok(event.kind === 'value');
      assert.deepEqual(JSON.parse(event.document()), { done: true, r: { list: [{ x: 1 }, { video: '' }] } });
      break;
    }
  });

  test('can be longer than the rest may be', async () => {
    assert.equal(
      joined(await scan(`{"video":"${'A'.repeat(5000)}"}`, 64, 20)).length,
      5000 + '<value><value-end><end>'.length,
    );
    await assert.rejects(scan(`{"other":"${'A'.repeat(5000)}"}`, 64, 20), /too large/);
  });

  test('may occur 1,000 times', async () => {
    const document = (count: number) => `[${Array(count).fill('{"video":"v"}').join()}]`;
    assert.equal((await scan(document(1000), 999, 20_000)).length, 3001);
    await assert.rejects(scan(document(1001), 999, 20_000), /too many large values/);
  });

  test('with an escape for every character is one piece in a chunk', async () => {
    const text = `{"video":"${'\\u0041\\/'.repeat(1000)}"}`;
    const events = await scan(text, text.length);
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['value', 'piece', 'value-end', 'end'],
    );
    assert.equal(joined(events), `<value>${'A/'.repeat(1000)}<value-end><end>`);
    for (const size of [1, 5, 7, 4096]) assert.equal(joined(await scan(text, size)), joined(events));
  });

  for (const text of ['{"video":"\\x"}', '{"video":"\\u00"}', '{"video":"\\u00zz"}'])
    for (const size of [1, 3, 100])
      test(`with a wrong escape is an error: ${text} in chunks of ${size} bytes`, async () => {
        await assert.rejects(scan(text, size));
      });

  test('that is cut off is an error', async () => {
    await assert.rejects(scan('{"video":"QUJD', 4), /ends within a text/);
  });
});

describe('decoding Base64 in pieces', () => {
  const decode = (text: string, size: number): Buffer => {
    const decoder = new Base64Decoder();
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < text.length; at += size) pieces.push(decoder.take(text.slice(at, at + size)));
    return Buffer.concat([...pieces, decoder.finish()]);
  };
  const bytes = Buffer.from(Array.from({ length: 259 }, (_, index) => index % 256));

  for (const length of [0, 1, 2, 3, 4, 5, 6, 258, 259])
    for (const size of [1, 3, 4, 5, 100])
      test(`gives ${length} bytes from pieces of ${size} characters, with and without padding`, () => {
        const content = bytes.subarray(0, length);
        assert.deepEqual(decode(content.toString('base64'), size), content);
        assert.deepEqual(decode(content.toString('base64url'), size), content);
      });

  for (const text of ['QUJ*QUJDQUJD', 'QQ==QUJDQUJD', 'QUJDQ', 'QU JDQUJD'])
    test(`fails for ${text}`, () => assert.throws(() => decode(text, 4), /not Base64/));
});

describe('an operation with a video', () => {
  /** A response that counts the chunks that were read, and whether it was closed. */
  const response = (chunks: number, tail: string) => {
    const seen = { chunks: 0, closed: false };
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from('{"name":"n","done":true,"response":{"videos":[{"bytesBase64Encoded":"');
        for (; seen.chunks < chunks; seen.chunks += 1) yield Buffer.alloc(60_000, 'QUJD');
        yield Buffer.from(tail);
      } finally {
        seen.closed = true;
      }
    }
    return { body: body(), seen };
  };
  const TAIL = '","mimeType":"video/mp4"}]}}';

  test('is checked without reading the video', async () => {
    const { body, seen } = response(1000, TAIL);
    assert.deepEqual(await readOperationState(body, String), { state: 'done', source: { kind: 'inline' } });
    assert.deepEqual(seen, { chunks: 0, closed: true });
  });

  test('is checked to its end if its state comes last', async () => {
    const body = inPieces('{"response":{"videos":[{"bytesBase64Encoded":"QUJD"}]},"done":false}', 5);
    assert.deepEqual(await readOperationState(body, String), { state: 'pending' });
  });

  test('is decoded chunk by chunk and closed after the video', async () => {
    const { body, seen } = response(3, TAIL);
    const lengths: number[] = [];
    for await (const chunk of await openInlineVideo(body)) {
      lengths.push(chunk.length);
      assert.ok(seen.chunks <= lengths.length, 'a chunk was read before it was needed');
    }
    assert.deepEqual(lengths, [44_997, 45_000, 45_000, 3]);
    assert.equal(seen.closed, true);
  });

  test('is retried if the video is cut off or no Base64', async () => {
    for (const tail of ['', '*"}]}}']) {
      const video = await openInlineVideo(response(1, tail).body);
      await assert.rejects(Array.fromAsync(video), { fault: 'failing' });
    }
  });
});
