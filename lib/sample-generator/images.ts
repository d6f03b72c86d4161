import { readFile } from 'node:fs/promises';
import { admitRequest, type Exchange, pause } from './exchange.ts';
import { type ImageRequest, type ImageSpec, imageSpec } from './media-spec.ts';
import { paddedJpeg } from './padded-media.ts';
import { unreadablePicture } from './pictures.ts';
import type { RenderCache } from './studio.ts';
import { invalid, UpstreamError } from './upstream-error.ts';

export const renderJpeg = async (
  spec: ImageSpec,
  draft: number,
  renderCache: RenderCache,
): Promise<Buffer> => {
  const rendering = await renderCache(spec, draft);
  if (rendering.outcome === 'unreadable-picture') throw invalid(unreadablePicture);
  if (rendering.outcome === 'failed') throw new UpstreamError(500);
  return readFile(rendering.path);
};

/** The image that the test prompts ask for: padded, or truncated. */
export const renderFinalJpeg = async (spec: ImageSpec, renderCache: RenderCache): Promise<Buffer> => {
  const jpeg = paddedJpeg(await renderJpeg(spec, 0, renderCache), spec.testPrompts);
  return spec.testPrompts.truncatedImage === true ? jpeg.subarray(0, jpeg.length / 2) : jpeg;
};

type Received = { readonly model: string; readonly request: ImageRequest; readonly digest: string };

/** Admits an image request and responds, once the delay that its test prompts ask for is over. */
export const answerImage = async <Response>(
  exchange: Exchange,
  { model, request, digest }: Received,
  respond: (spec: ImageSpec) => Promise<Response>,
): Promise<Response> => {
  const spec = await imageSpec(model, request, exchange.generator);
  await admitRequest(exchange, spec, digest);
  const [response] = await Promise.all([respond(spec), pause(exchange, spec.testPrompts.delaySeconds)]);
  return response;
};

const IMAGE_TOKENS = 1120;
const INPUT_IMAGE_TOKENS = 258;
const WORD_TOKENS = 20;

/** The tokens that an upstream reports for the text and the images of a request, and for its own output. */
export const countTokens = ({ prompt, testPrompts, references }: ImageSpec) => ({
  text: Math.ceil(prompt.length / 4),
  images: references.length * INPUT_IMAGE_TOKENS,
  output: testPrompts.textOnly === true ? WORD_TOKENS : IMAGE_TOKENS,
});
