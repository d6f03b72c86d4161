import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { GivenImage } from '../../../../functions/catalogue/domain/input-image.ts';
import { loadImages } from '../../../../functions/images/usecases/load-images.ts';
import {
  type GivenImageRequest,
  imagePart,
  textPart,
} from '../../../../functions/upstream/domain/image-request.ts';
import { IMAGE_REQUEST } from '../../../support/builders/requests.ts';
import { JPEG, PNG, SVG } from '../../../support/images.ts';
import { LOCAL_IMAGES } from '../../../support/remote-images.ts';
import { startServer } from '../../../support/server.ts';

const NOW = 1_000_000;
const LATER = NOW + 1;

type Texts = { readonly text?: string; readonly signature?: string; readonly systemInstruction?: string };

/** Files of one account, with a log of what was read or closed. */
const store = (files: Readonly<Record<string, { bytes: Uint8Array; expiresAt?: number }>>) => {
  const log: string[] = [];
  const access = {
    account: 'account',
    now: () => NOW,
    fieldName: (fileId: string) => `field of ${fileId}`,
    requestMegabytes: 1,
    remoteImages: LOCAL_IMAGES,
    files: {
      openFile: async ({ account, id }: { readonly account: string; readonly id: string }) => {
        const file = account === 'account' ? files[id] : undefined;
        if (file === undefined) return undefined;
        return {
          bytes: file.bytes.length,
          expiresAt: file.expiresAt ?? LATER,
          read: async () => {
            log.push(`read ${id}`);
            return file.bytes;
          },
          close: () => void log.push(`close ${id}`),
        };
      },
    },
  };
  const load = (...images: readonly GivenImage[]) => loadWith({}, ...images);
  const loadWith = (
    { text = 'A fox', signature = 'kept', systemInstruction }: Texts,
    ...images: readonly GivenImage[]
  ) => {
    const parts = [{ ...textPart(text), signature }, ...images.map(imagePart<GivenImage>)];
    const request: GivenImageRequest = {
      ...IMAGE_REQUEST,
      turns: [{ role: 'user', parts }],
      systemInstruction,
    };
    return loadImages(access, request);
  };
  return { load, loadWith, log };
};

const file = (fileId: string): GivenImage => ({ fileId });
test('addresses are replaced by the images that they lead to', async () => {
  const { url, close } = await startServer((_request, response) => response.end(JPEG));
  const { turns } = await store({}).load({ address: `${url}/a` }, { address: `${url}/a` });
  await close();
  const jpeg = { kind: 'image', image: { bytes: JPEG, mimeType: 'image/jpeg' } };
  assert.deepEqual(
    turns[0]?.parts.slice(1).map(({ content }) => content),
    [jpeg, jpeg],
  );
});

const LARGE = { bytes: Buffer.concat([PNG, Buffer.alloc(800_000)]) };

describe('the files of an image request', () => {
  test('replace their references, in order; each is read once', async () => {
    const { load, log } = store({ file_1: { bytes: JPEG }, file_2: { bytes: PNG } });
    const sent = { bytes: PNG, mimeType: 'image/png' } as const;
    const { turns } = await load(file('file_1'), sent, file('file_2'), file('file_1'));
    const jpeg = { kind: 'image', image: { bytes: JPEG, mimeType: 'image/jpeg' } };
    const png = { kind: 'image', image: sent };
    const contents = turns[0]?.parts.map(({ content }) => content);
    assert.deepEqual(contents, [{ kind: 'text', text: 'A fox' }, jpeg, png, png, jpeg]);
    assert.equal(turns[0]?.parts[0]?.signature, 'kept');
    assert.deepEqual(log, ['read file_1', 'read file_2']);
  });

  const NOT_FOUND = /^field of file_2: file not found\.$/;
  const REFUSED: readonly (readonly [string, Parameters<typeof store>[0], RegExp, readonly string[]])[] = [
    ['one is not found', { file_1: { bytes: JPEG } }, NOT_FOUND, ['close file_1']],
    [
      'one has expired',
      { file_1: { bytes: JPEG }, file_2: { bytes: PNG, expiresAt: NOW } },
      NOT_FOUND,
      ['close file_2', 'close file_1'],
    ],
    [
      'one is no image',
      { file_1: { bytes: JPEG }, file_2: { bytes: SVG } },
      /^field of file_2: the file is not an image/,
      ['read file_1', 'read file_2'],
    ],
    [
      'one is empty',
      { file_1: { bytes: JPEG }, file_2: { bytes: Buffer.alloc(0) } },
      /^field of file_2: the file is empty\.$/,
      ['close file_1', 'close file_2'],
    ],
    [
      'they are too large together',
      { file_1: { bytes: JPEG }, file_2: LARGE },
      /they are 0\.9 MB together, but a request may have at most 0\.4 MB of images\.$/,
      ['close file_1', 'close file_2'],
    ],
  ];
  for (const [title, files, message, expected] of REFUSED)
    test(`are rejected if ${title}, and none is left open`, async () => {
      const { load, log } = store(files);
      await assert.rejects(load(file('file_1'), file('file_2')), { name: 'DomainError', message });
      assert.deepEqual(log, expected);
    });

  test('count towards the limit together with the images in the request', async () => {
    const sent = { bytes: LARGE.bytes, mimeType: 'image/png' } as const;
    const { load } = store({ file_1: { bytes: JPEG } });
    for (const images of [[sent], [file('file_1'), sent]])
      await assert.rejects(
        load(...images),
        /they are 0\.9 MB together, but a request may have at most 0\.4 MB of images\.$/,
      );
    await assert.rejects(load(file('file_1'), sent), { param: 'field of file_1' });
    await assert.rejects(load(sent), { param: null });
  });

  test('leave no room for long texts, signatures and instructions', async () => {
    const { load, loadWith } = store({ file_1: { bytes: Buffer.concat([JPEG, Buffer.alloc(300_000)]) } });
    await load(file('file_1'));
    const long = 'a'.repeat(800_000);
    for (const texts of [{ text: long }, { signature: long }, { systemInstruction: long }])
      await assert.rejects(loadWith(texts, file('file_1')), { name: 'DomainError' });
  });

  test('are at most ten', async () => {
    const { load, log } = store({});
    const eleven = Array.from({ length: 11 }, (_, count) => file(`file_${count}`));
    await assert.rejects(load(...eleven.slice(1)), /file not found/);
    await assert.rejects(load(...eleven), /At most 10 files are accepted in a request, but 11 were named\./);
    assert.deepEqual(log, []);
  });
});
