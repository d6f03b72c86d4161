import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { SentBody } from '../support/create-in-memory.ts';
import { dataUri, JPEG, PNG } from '../support/images.ts';

/**
 * The rules of create requests as data: fields beside model and prompt, and the video or the refusal that they get. A
 * unit test sends them all in both encodings; tests over HTTP and with an SDK send some of them.
 */

const accepted = z.object({
  accepted: z.tuple([z.string(), z.string()]),
  /** Fields of the request that is forwarded, with its images in words. */
  request: z.optional(z.record(z.string(), z.unknown())),
});
const refused = z.object({
  refused: z.object({ param: z.string(), code: z.string(), says: z.string() }),
  status: z.optional(z.int()),
});
const group = z.object({
  group: z.string(),
  cases: z.array(
    z.intersection(
      z.object({ fields: z.record(z.string(), z.unknown()), only: z.optional(z.literal('JSON')) }),
      z.union([accepted, refused]),
    ),
  ),
});

/** The words of the data that stand for images. */
const IMAGES = {
  '{PNG}': dataUri(PNG, 'image/png'),
  '{JPEG}': dataUri(JPEG, 'image/jpeg'),
  '{JPEG_AS_PNG}': dataUri(JPEG, 'image/png'),
  '{JPEG_BASE64URL}': JPEG.toString('base64url'),
} as const;

const readGroups = () => {
  let text = readFileSync(join(import.meta.dirname, 'video-requests.json'), 'utf8');
  for (const [word, image] of Object.entries(IMAGES)) text = text.replaceAll(word, image);
  return z.array(group).parse(JSON.parse(text));
};

type Fields = Readonly<Record<string, unknown>>;

const toForm = (fields: Fields): FormData => {
  const form = new FormData();
  const append = (name: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) append(`${name}[]`, item);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) append(`${name}[${key}]`, inner);
    else form.append(name, String(value));
  };
  for (const [name, value] of Object.entries(fields)) append(name, value);
  return form;
};

const ENCODINGS = {
  JSON: (fields: Fields): SentBody => ({
    body: JSON.stringify(fields),
    headers: { 'content-type': 'application/json' },
  }),
  form: (fields: Fields): SentBody => ({ body: toForm(fields) }),
} as const;

const shorten = (fields: Fields): string => {
  let text = JSON.stringify(fields);
  for (const [word, image] of Object.entries(IMAGES)) text = text.replaceAll(image, word);
  return text.slice(0, 120);
};

/** The cases as requests, in each of their encodings, with these fields beside their own. */
export const videoRequests = (base: Fields) =>
  readGroups().flatMap(({ group, cases }) =>
    cases.flatMap((one) =>
      (one.only === 'JSON' ? (['JSON'] as const) : (['JSON', 'form'] as const)).map((name) => ({
        ...one,
        title: `${group}: ${shorten(one.fields)} as ${name}`,
        sent: ENCODINGS[name]({ ...base, ...one.fields }),
      })),
    ),
  );

export type VideoCase = ReturnType<typeof videoRequests>[number];

/** Every so many of the cases, in turns as JSON and as a form, for levels at which each costs a call. */
export const someVideoRequests = (base: Fields, every: number): VideoCase[] =>
  videoRequests(base).filter((_, position) => position % every === 0);
