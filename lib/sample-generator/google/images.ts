import { randomBytes } from 'node:crypto';
import { type Handler, sendJson } from '../exchange.ts';
import { answerImage, countTokens, renderFinalJpeg, renderJpeg } from '../images.ts';
import type { ImageSpec } from '../media-spec.ts';
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

const candidate = (content: object, finishReason: string, more: object = {}) => ({
  candidates: [{ content, finishReason, ...more, index: 0 }],
});

const blockedContent = (reason: string) => {
  if (reason === 'PROMPT') return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
  // The upstream explains every reason but this one.
  const explained = reason === 'NO_IMAGE' ? {} : { finishMessage: 'Unable to show the generated image.' };
  return candidate({}, reason, explained);
};

const imageResponse = async (spec: ImageSpec, renderCache: RenderCache): Promise<object> => {
  const { blocked } = spec.testPrompts;
  const content =
    blocked === undefined
      ? candidate({ role: 'model', parts: await responseParts(spec, renderCache) }, 'STOP')
      : blockedContent(blocked);
  const responseId = randomBytes(12).toString('base64url');
  return { ...content, usageMetadata: usage(spec), modelVersion: spec.model, responseId };
};

export const generateContent =
  (protocol: GoogleProtocol): Handler =>
  async (exchange) => {
    const model = requireModel(protocol, exchange, 'image');
    const { body, digest } = await readJson(exchange);
    const received = { model, request: readImageRequest(body), digest };
    const respond = (spec: ImageSpec) => imageResponse(spec, exchange.generator.renderCache);
    sendJson(exchange.response, await answerImage(exchange, received, respond));
  };
