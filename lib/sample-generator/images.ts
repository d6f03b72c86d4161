import { readFile } from 'node:fs/promises';
import { type Exchange, pause } from './exchange.ts';
import type { ImageSpec } from './image-request.ts';
import { paddedJpeg } from './padded-media.ts';
import { unreadablePicture } from './pictures.ts';
import type { RenderCache } from './studio.ts';
import { invalid, UpstreamError } from './upstream-error.ts';

export const renderJpeg = async (
  spec: ImageSpec,
  draft: number,
  renderCache: RenderCache,
): Promise<Buffer> => {
  const rendering = await renderCache.image(spec, draft);
  if (rendering.outcome === 'unreadable-picture') throw invalid(unreadablePicture);
  if (rendering.outcome === 'failed') throw new UpstreamError(500);
  return readFile(rendering.path);
};

/** The image that the test prompts ask for: padded, or truncated. Each number gives another image. */
export const renderFinalJpeg = async (
  spec: ImageSpec,
  renderCache: RenderCache,
  number = 0,
): Promise<Buffer> => {
  const jpeg = paddedJpeg(await renderJpeg(spec, number, renderCache), spec.testPrompts);
  return spec.testPrompts.truncatedImage === true ? jpeg.subarray(0, jpeg.length / 2) : jpeg;
};

/** The response, once it is complete and the delay that test prompts ask for is over. */
export const afterDelay = async <Response>(
  exchange: Exchange,
  { testPrompts }: ImageSpec,
  response: Promise<Response>,
): Promise<Response> => {
  const [document] = await Promise.all([response, pause(exchange, testPrompts.delaySeconds)]);
  return document;
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
