import * as z from 'zod/mini';
import { truncate } from '../../platform/domain/text.ts';
import { UpstreamError } from '../domain/faults.ts';
import type { ImageAnswer, ImageGenerator, ImagePart, ImageRequest } from '../domain/image-request.ts';
import { lenient, lenientCount, lenientText } from './lenient.ts';
import { Base64 } from './request-bodies.ts';
import type { UpstreamServer } from './upstream-connection.ts';

/** The format of image requests and responses, which the kinds of upstreams share. */

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_REASON = 500;

const partSchema = z.object({
  text: z.optional(z.string()),
  thought: z.optional(z.boolean()),
  inlineData: z.optional(z.object({ mimeType: z.string(), data: z.string() })),
});
const candidateSchema = z.object({
  content: z.optional(z.object({ parts: z._default(z.array(partSchema), []) })),
  finishReason: lenientText,
  finishMessage: lenientText,
});
const answerSchema = z.object({
  candidates: z._default(z.array(candidateSchema), []),
  promptFeedback: z.optional(
    z.object({ blockReason: z.optional(z.string()), blockReasonMessage: z.optional(z.string()) }),
  ),
  usageMetadata: lenient(
    z.object({
      promptTokenCount: lenientCount,
      candidatesTokenCount: lenientCount,
      thoughtsTokenCount: lenientCount,
      totalTokenCount: lenientCount,
      promptTokensDetails: lenient(
        z.array(z.object({ modality: lenientText, tokenCount: lenientCount })),
        undefined,
      ),
    }),
    undefined,
  ),
});
type Answer = z.infer<typeof answerSchema>;
/** It becomes a header of the stored file. */
const IMAGE_TYPE = /^image\/[\w.+-]{1,50}$/;
const documentSchema = z.record(z.string(), z.unknown());

const toPart = ({ content, signature }: ImagePart) => ({
  ...(content.kind === 'text'
    ? { text: content.text }
    : { inlineData: { mimeType: content.image.mimeType, data: new Base64(content.image.bytes) } }),
  thoughtSignature: signature,
});

const toImageRequest = ({
  turns,
  systemInstruction,
  safetySettings,
  config,
  modalities,
  sampling,
}: ImageRequest) => ({
  contents: turns.map(({ role, parts }) => ({ role, parts: parts.map(toPart) })),
  ...(systemInstruction === undefined ? {} : { systemInstruction: { parts: [{ text: systemInstruction }] } }),
  safetySettings,
  generationConfig: {
    responseModalities: modalities,
    ...sampling,
    ...((config.aspectRatio ?? config.imageSize) ? { imageConfig: config } : {}),
  },
});

export const unreadableAnswer = () =>
  new UpstreamError('unanswered', 'The generator sent an unreadable response.');

/** An answer without an image, with the upstream's reason or its words. */
export const noImage = (reason: string | undefined, text: string): ImageAnswer => {
  const said =
    text === '' ? 'The generator made no image.' : `The generator answered without an image: ${text}`;
  return { outcome: 'no_image', reason: truncate(reason ?? said, MAX_REASON) };
};

const noImageReason = ({ candidates, promptFeedback }: Answer): string | undefined => {
  if (promptFeedback?.blockReason !== undefined)
    return `The prompt was blocked: ${promptFeedback.blockReasonMessage ?? promptFeedback.blockReason}`;
  const { finishReason = 'STOP', finishMessage } = candidates[0] ?? {};
  return finishReason === 'STOP'
    ? undefined
    : `The generator made no image: ${finishReason}${finishMessage ? `. ${finishMessage}` : ''}`;
};

const countTokens = ({ usageMetadata: usage }: Answer) => ({
  prompt: usage?.promptTokenCount ?? 0,
  output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
  total: usage?.totalTokenCount ?? 0,
});

const countPromptImageTokens = ({ usageMetadata: usage }: Answer): number | undefined =>
  usage?.promptTokensDetails
    ?.filter(({ modality }) => modality === 'IMAGE')
    .reduce((sum, { tokenCount }) => sum + tokenCount, 0);

/** Takes the last image that is not a draft, wherever it is among the parts. */
export const readAnswer = (received: unknown): ImageAnswer => {
  const parsed = answerSchema.safeParse(received);
  const document = documentSchema.safeParse(received);
  if (!parsed.success || !document.success) throw unreadableAnswer();
  const answer = parsed.data;
  const parts = answer.candidates
    .flatMap(({ content }) => content?.parts ?? [])
    .filter(({ thought }) => thought !== true);
  const text = parts.map(({ text }) => text).join('');
  const image = parts.findLast(
    ({ inlineData }) => IMAGE_TYPE.test(inlineData?.mimeType ?? '') && inlineData?.data !== '',
  )?.inlineData;
  if (image === undefined || answer.promptFeedback?.blockReason !== undefined)
    return noImage(noImageReason(answer), text);
  return {
    outcome: 'image',
    image: { mimeType: image.mimeType, base64: image.data },
    text,
    cutShort: answer.candidates[0]?.finishReason === 'MAX_TOKENS',
    tokens: countTokens(answer),
    promptImageTokens: countPromptImageTokens(answer),
    document: document.data,
  };
};

type ImageProtocol = {
  readonly send: (request: ImageRequest) => { readonly path: string; readonly body: unknown };
  readonly read: (answer: unknown, request: ImageRequest) => ImageAnswer;
};

export const imageClient = (
  { call }: Pick<UpstreamServer, 'call'>,
  { send, read }: ImageProtocol,
): ImageGenerator => ({
  generate: async (request, { timeoutMs }) => {
    const { path, body } = send(request);
    return read(await call(path, { body, namesModel: true, timeoutMs, maxBytes: MAX_ANSWER_BYTES }), request);
  },
});

type NativeServer = Pick<UpstreamServer, 'call'> & { readonly modelPath: (model: string) => string };

export const nativeImages = (server: NativeServer): ImageGenerator =>
  imageClient(server, {
    send: (request) => ({
      path: `${server.modelPath(request.model)}:generateContent`,
      body: toImageRequest(request),
    }),
    read: readAnswer,
  });
