import { randomBytes } from 'node:crypto';
import {
  admitRequest,
  type Exchange,
  type Generator,
  type Handler,
  readQuery,
  sendJson,
} from '../exchange.ts';
import { type ImageSpec, imageSpec } from '../image-request.ts';
import { afterDelay, countTokens, renderFinalJpeg, renderJpeg } from '../images.ts';
import { readJson } from '../request-body.ts';
import type { RenderCache } from '../studio.ts';
import { readImageRequest } from './image-request.ts';
import { type GoogleProtocol, requireModel } from './protocol.ts';

type Part =
  | { text: string }
  | { inlineData: { mimeType: string; data: string }; thought?: true; thoughtSignature?: string };

/** Clients send it back in the next turn. The upstream's is as long as the image. */
const SIGNATURE = Buffer.from('a sample signature').toString('base64');

const inline = (jpeg: Buffer) => ({ inlineData: { mimeType: 'image/jpeg', data: jpeg.toString('base64') } });

const responseParts = async (spec: ImageSpec, renderCache: RenderCache): Promise<Part[]> => {
  const { textOnly, drafts = 0 } = spec.testPrompts;
  if (textOnly === true) return [{ text: `A sample text: ${spec.prompt}` }];
  const parts: Part[] = [{ text: `Here is a sample image: ${spec.prompt}` }];
  for (let draft = 1; draft <= drafts; draft += 1) {
    parts.push({ ...inline(await renderJpeg(spec, draft, renderCache)), thought: true });
  }
  const image = inline(await renderFinalJpeg(spec, renderCache));
  return [...parts, { ...image, thoughtSignature: SIGNATURE }];
};

const usage = (spec: ImageSpec) => {
  const { text, images, output: candidatesTokenCount } = countTokens(spec);
  const { testPrompts } = spec;
  const promptTokenCount = text + images;
  const promptTokensDetails = [
    { modality: 'TEXT', tokenCount: text },
    ...(images === 0 ? [] : [{ modality: 'IMAGE', tokenCount: images }]),
  ];
  const asked = { promptTokenCount, promptTokensDetails, serviceTier: 'standard' };
  if (testPrompts.blocked !== undefined) return { ...asked, totalTokenCount: promptTokenCount };
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

const createImage = async (
  protocol: GoogleProtocol,
  exchange: Exchange,
  generator: Generator,
  method: 'generateContent' | 'streamGenerateContent',
) => {
  const model = requireModel(protocol, exchange, generator, { medium: 'image', method });
  const { body, digest } = await readJson(exchange);
  const spec = await imageSpec(model, readImageRequest(body), generator);
  await admitRequest(exchange, generator, spec, digest);
  const isStreamed = method === 'streamGenerateContent';
  return afterDelay(exchange, spec, imageResponses(spec, generator.renderCache, isStreamed));
};

export const generateContent =
  (protocol: GoogleProtocol): Handler =>
  async (exchange, generator) => {
    const [document] = await createImage(protocol, exchange, generator, 'generateContent');
    sendJson(exchange.response, document);
  };

/** Server-sent events with `alt=sse`; otherwise, as the upstream does, one JSON list. */
export const streamGenerateContent =
  (protocol: GoogleProtocol): Handler =>
  async (exchange, generator) => {
    const documents = await createImage(protocol, exchange, generator, 'streamGenerateContent');
    const { request, response } = exchange;
    if (readQuery(request).get('alt') !== 'sse') return sendJson(response, documents);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const document of documents) response.write(`data: ${JSON.stringify(document)}\r\n\r\n`);
    response.end();
  };
