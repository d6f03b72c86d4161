import { createHash } from 'node:crypto';
import { after } from 'node:test';
import {
  createImage,
  generate,
  KEY,
  runGenerator,
  sampleUris,
  textBody,
} from '../lib/sample-generator/support/running-generator.ts';

export const toDigest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const readBytes = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

type ImageBody = {
  readonly candidates: readonly {
    readonly content: { readonly parts: readonly { readonly inlineData?: { readonly data: string } }[] };
  }[];
};

/** The media that the upstream of a service delivers: every sample generator makes the same bytes of the same request. */
export const openUpstreamMedia = async () => {
  const generator = await runGenerator({ drafts: true });
  after(() => generator.stop());
  return {
    /** Of 4 seconds and 1280 × 720 pixels. */
    video: async (prompt: string): Promise<Buffer> => {
      const [uri = ''] = sampleUris(await generate(generator.url, textBody(prompt)));
      return readBytes(await fetch(uri, { headers: KEY }));
    },
    /** Of 512 × 512 pixels. */
    image: async (prompt: string): Promise<Buffer> => {
      const body: ImageBody = JSON.parse(await (await createImage(generator.url, prompt)).text());
      const data = body.candidates[0]?.content.parts.findLast((part) => part.inlineData)?.inlineData?.data;
      return Buffer.from(data ?? '', 'base64');
    },
  };
};

/** Follows redirects, and sends the key only to the service. */
export const download = async (url: string, headers: Record<string, string> = {}): Promise<Buffer> => {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return readBytes(response);
};
