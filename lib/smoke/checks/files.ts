import { createHash } from 'node:crypto';
import { at, expectAnswer, expectStatus, expectTrue, textAt } from '../answers.ts';
import type { Api } from '../api.ts';
import { gradientPng, gradientPngOfSize } from '../media.ts';
import type { Check } from '../run-checks.ts';

const textHeaders = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(Object(value)).map(([name, text]) => [name, String(text)]));

const expectFileStatus = async (api: Api, id: string, expected: string): Promise<void> => {
  const answer = await expectAnswer(200, api.call('GET', `/v1/files/${id}`));
  const seen = textAt(answer.json, 'status');
  expectTrue(seen === expected, `a file with status ${expected}`, seen, answer);
};

const expectUpload = async (api: Api, offer: unknown, bytes: Buffer<ArrayBuffer>): Promise<void> => {
  const id = textAt(offer, 'id');
  const address = textAt(offer, 'upload', 'url');
  const headers = textHeaders(at(offer, 'upload', 'headers'));
  expectTrue(URL.canParse(address), 'an address in upload.url', JSON.stringify(address));
  // The signature covers the length, so a URL cannot be used to upload more than announced.
  for (const wrong of [bytes.subarray(1), Buffer.concat([bytes, Buffer.alloc(1)])])
    expectStatus(await api.put(address, { headers, bytes: wrong }), 403);
  await expectFileStatus(api, id, 'uploaded');
  expectStatus(await api.put(address, { headers, bytes }), 200);
  await expectFileStatus(api, id, 'processed');
};

export const uploadCheck: Check = {
  name: 'accepts signed uploads of the exact length only',
  run: async ({ api }) => {
    const bytes = gradientPng(64, 36);
    const json = { filename: 'smoke.png', bytes: bytes.length, mime_type: 'image/png', purpose: 'vision' };
    // Not interruptible: a file with an unknown id could not be removed. One without bytes expires within hours.
    const offer = await expectAnswer(
      200,
      api.call('POST', '/v1/files', { json, interruptible: false, repeatable: true }),
    );
    const id = textAt(offer.json, 'id');
    expectTrue(id.startsWith('file_'), 'an id that begins with file_', JSON.stringify(id), offer);
    const path = `/v1/files/${id}`;
    try {
      await expectUpload(api, offer.json, bytes);
    } finally {
      expectStatus(await api.call('DELETE', path, { interruptible: false }), 200);
    }
    expectStatus(await api.call('GET', path), 404);
  },
};

/** Nearly as much as fits into a request of Lambda in Base64. */
const LARGEST_CHUNK = 4_500_000;

/** Sends bytes as Google's SDKs do: declared as JSON, and to the host of the base URL. */
export const googleUploadCheck: Check = {
  name: 'stores a Google upload unchanged',
  run: async ({ api }) => {
    const bytes = gradientPngOfSize(LARGEST_CHUNK);
    const headers = {
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': String(bytes.length),
    };
    const started = await expectAnswer(
      200,
      api.call('POST', '/upload/v1beta/files', { headers, json: {}, repeatable: true }),
    );
    const address = started.headers.get('x-goog-upload-url') ?? '';
    expectTrue(address.includes('/upload/'), 'an address in x-goog-upload-url', 'none', started);
    const path = address.slice(address.indexOf('/upload/'));
    const command = { 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0' };
    const send = (type: string) =>
      api.anonymous('POST', path, {
        headers: { ...command, 'content-type': type },
        bytes,
        interruptible: false,
        // An upload is finalized once.
        repeatable: true,
      });
    const stored = await send('application/json');
    // Without the setting googleFileUploads, the service says that it reads JSON as text.
    if (stored.status === 415) return;
    expectStatus(stored, 200);
    const name = textAt(stored.json, 'file', 'name');
    const seen = textAt(stored.json, 'file', 'sha256Hash');
    const sent = createHash('sha256').update(bytes).digest('base64');
    expectTrue(name.startsWith('files/'), 'a name that begins with files/', JSON.stringify(name), stored);
    expectStatus(await api.call('DELETE', `/v1beta/${name}`, { interruptible: false }), 200);
    expectTrue(seen === sent, 'the bytes that were sent', 'others', stored);
  },
};
