import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  acceptRequest,
  type Exchange,
  type Generator,
  type Handler,
  pause,
  requireModel,
  sendJson,
} from './exchange.ts';
import { type ImageSpec, imageSpec } from './image-request.ts';
import { paddedJpeg } from './padded-media.ts';
import { unreadablePicture } from './pictures.ts';
import type { RenderCache } from './studio.ts';
import { invalid, UpstreamError } from './upstream-error.ts';

type Part =
  | { text: string }
  | { inlineData: { mimeType: string; data: string }; thought?: true; thoughtSignature?: string };

/** Clients send it back in the next turn. The upstream's is as long as the image. */
const SIGNATURE = Buffer.from('a sample signature').toString('base64');

const IMAGE_TOKENS = 1120;
const INPUT_IMAGE_TOKENS = 258;
const WORD_TOKENS = 20;

const renderJpeg = async (spec: ImageSpec, draft: number, renderCache: RenderCache): Promise<Buffer> => {
  const rendering = await renderCache.image(spec, draft);
  if (rendering.outcome === 'unreadable-picture') throw invalid(unreadablePicture);
  if (rendering.outcome === 'failed') throw new UpstreamError(500);
  return readFile(rendering.path);
};

const inline = (jpeg: Buffer) => ({ inlineData: { mimeType: 'image/jpeg', data: jpeg.toString('base64') } });

const responseParts = async (spec: ImageSpec, renderCache: RenderCache): Promise<Part[]> => {
  const { textOnly, drafts = 0, megabytes, truncatedImage } = spec.testPrompts;
  if (textOnly === true) return [{ text: `A sample text: ${spec.prompt}` }];
  const parts: Part[] = [{ text: `Here is a sample image: ${spec.prompt}` }];
  for (let draft = 1; draft <= drafts; draft += 1) {
    parts.push({ ...inline(await renderJpeg(spec, draft, renderCache)), thought: true });
  }
  const jpeg = paddedJpeg(await renderJpeg(spec, 0, renderCache), megabytes);
  const image = inline(truncatedImage === true ? jpeg.subarray(0, jpeg.length / 2) : jpeg);
  return [...parts, { ...image, thoughtSignature: SIGNATURE }];
};

const usage = ({ prompt, testPrompts, references }: ImageSpec) => {
  const text = Math.ceil(prompt.length / 4);
  const images = references.length * INPUT_IMAGE_TOKENS;
  const promptTokenCount = text + images;
  const promptTokensDetails = [
    { modality: 'TEXT', tokenCount: text },
    ...(images === 0 ? [] : [{ modality: 'IMAGE', tokenCount: images }]),
  ];
  const asked = { promptTokenCount, promptTokensDetails, serviceTier: 'standard' };
  if (testPrompts.blocked !== undefined) return { ...asked, totalTokenCount: promptTokenCount };
  const candidatesTokenCount = testPrompts.textOnly === true ? WORD_TOKENS : IMAGE_TOKENS;
  const modality = testPrompts.textOnly === true ? 'TEXT' : 'IMAGE';
  return {
    ...asked,
    candidatesTokenCount,
    candidatesTokensDetails: [{ modality, tokenCount: candidatesTokenCount }],
    totalTokenCount: promptTokenCount + candidatesTokenCount,
  };
};

const envelope = (spec: ImageSpec, responseId: string, content: object) => ({
  ...content,
  usageMetadata: usage(spec),
  modelVersion: spec.model,
  responseId,
});

const blockedContent = (reason: string) => {
  if (reason === 'PROMPT') return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
  // The upstream explains every reason but this one.
  const explained = reason === 'NO_IMAGE' ? {} : { finishMessage: 'Unable to show the generated image.' };
  return { candidates: [{ content: {}, finishReason: reason, ...explained, index: 0 }] };
};

const candidate = (parts: readonly Part[], last: boolean) => ({
  candidates: [{ content: { role: 'model', parts }, ...(last && { finishReason: 'STOP' }), index: 0 }],
});

/** One document, or one for each part if streamed. */
const imageResponses = async (
  spec: ImageSpec,
  renderCache: RenderCache,
  streamed: boolean,
): Promise<object[]> => {
  const responseId = randomBytes(12).toString('base64url');
  const { blocked } = spec.testPrompts;
  if (blocked !== undefined) return [envelope(spec, responseId, blockedContent(blocked))];
  const parts = await responseParts(spec, renderCache);
  if (!streamed) return [envelope(spec, responseId, candidate(parts, true))];
  return parts.map((part, index) =>
    envelope(spec, responseId, candidate([part], index === parts.length - 1)),
  );
};

const createImage = async (exchange: Exchange, generator: Generator, method: string) => {
  const model = requireModel(exchange.groups.model, 'image', method);
  const spec = await acceptRequest(exchange, generator, model, imageSpec);
  const [documents] = await Promise.all([
    imageResponses(spec, generator.renderCache, method === 'streamGenerateContent'),
    pause(exchange, spec.testPrompts.delaySeconds),
  ]);
  return documents;
};

export const generateContent: Handler = async (exchange, generator) => {
  const [document] = await createImage(exchange, generator, 'generateContent');
  sendJson(exchange.response, document);
};

/** Server-sent events with `alt=sse`; otherwise, as the upstream does, one JSON list. */
export const streamGenerateContent: Handler = async (exchange, generator) => {
  const documents = await createImage(exchange, generator, 'streamGenerateContent');
  const { request, response } = exchange;
  const { searchParams } = new URL(request.url ?? '/', 'http://sample');
  if (searchParams.get('alt') !== 'sse') return sendJson(response, documents);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const document of documents) response.write(`data: ${JSON.stringify(document)}\r\n\r\n`);
  response.end();
};
