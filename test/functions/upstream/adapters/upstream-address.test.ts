import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upstreamClient } from '../../../../functions/upstream/adapters/upstream-client.ts';
import { upstreamVideos } from '../../../../functions/upstream/adapters/upstream-videos.ts';
import { wholeMp4 } from '../../../support/sample-video.ts';
import { file, sample, started } from './upstream-answers.ts';
import { KEY_HEADER, startUpstream } from './upstream-server.ts';

const clientOf = (baseUrl: string) =>
  upstreamClient({ baseUrl, keyHeader: KEY_HEADER, apiKey: async () => 'secret', models: {}, fetch });

const ADDRESSES: readonly (readonly [uri: string, kept: string])[] = [
  ['https://upstream.test/v1beta/files/1:download?alt=media', '/v1beta/files/1:download?alt=media'],
  ['https://files.upstream.test/1', 'https://files.upstream.test/1'],
  ['http://upstream.test/1', 'http://upstream.test/1'],
  ['https://upstream.test//elsewhere.test/1', 'https://upstream.test//elsewhere.test/1'],
  ['not an address', 'not an address'],
];
for (const [uri, kept] of ADDRESSES)
  test(`the address ${uri} is kept as ${kept}`, () => {
    assert.equal(clientOf('https://upstream.test').addressOf(uri), kept);
  });

test('a file of an upstream that has moved since is fetched from where it is now', async () => {
  const answers = { submit: [started], check: [sample], file: [file] };
  const before = await startUpstream(answers);
  const found = await upstreamVideos(clientOf(before.baseUrl), 5000).check('operations/1');
  await before[Symbol.asyncDispose]();
  assert.ok(found.state === 'done');
  await using after = await startUpstream(answers);
  const video = await upstreamVideos(clientOf(after.baseUrl), 5000).open('operations/1', found.source);
  assert.deepEqual(new Uint8Array(Buffer.concat(await Array.fromAsync(video))), wholeMp4());
});
