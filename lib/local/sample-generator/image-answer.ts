import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ImageOrder } from './image-order.ts';
import { paddedJpeg } from './padding.ts';
import { unreadablePicture } from './pictures.ts';
import type { Renderings } from './renderings.ts';
import { invalid, UpstreamError } from './upstream-error.ts';

type Part = { text: string } | { inlineData: { mimeType: string; data: string }; thought?: true };

const IMAGE_TOKENS = 1120;
const WORD_TOKENS = 20;

const jpegOf = async (order: ImageOrder, draft: number, renderings: Renderings): Promise<Buffer> => {
  const rendering = await renderings.image(order, draft);
  if (rendering.outcome === 'unreadable-picture') throw invalid(unreadablePicture);
  if (rendering.outcome === 'failed') throw new UpstreamError(500);
  return readFile(rendering.path);
};

const inline = (jpeg: Buffer) => ({ inlineData: { mimeType: 'image/jpeg', data: jpeg.toString('base64') } });

const partsOf = async (order: ImageOrder, renderings: Renderings): Promise<Part[]> => {
  const { textOnly, drafts = 0, megabytes } = order.wishes;
  if (textOnly === true) return [{ text: `A sample answer in words: ${order.prompt}` }];
  const parts: Part[] = [{ text: `Here is a sample image: ${order.prompt}` }];
  for (let draft = 1; draft <= drafts; draft += 1) {
    parts.push({ ...inline(await jpegOf(order, draft, renderings)), thought: true });
  }
  return [...parts, inline(paddedJpeg(await jpegOf(order, 0, renderings), megabytes))];
};

const usage = ({ prompt, wishes }: ImageOrder) => {
  const promptTokenCount = Math.ceil(prompt.length / 4);
  if (wishes.blocked !== undefined) return { promptTokenCount, totalTokenCount: promptTokenCount };
  const candidatesTokenCount = wishes.textOnly === true ? WORD_TOKENS : IMAGE_TOKENS;
  return { promptTokenCount, candidatesTokenCount, totalTokenCount: promptTokenCount + candidatesTokenCount };
};

const envelope = (order: ImageOrder, responseId: string, content: object) => ({
  ...content,
  usageMetadata: usage(order),
  modelVersion: order.model,
  responseId,
});

const blockedContent = (reason: string) => {
  if (reason === 'PROMPT') return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
  const finishMessage = 'Unable to show the generated image.';
  return { candidates: [{ content: {}, finishReason: reason, finishMessage, index: 0 }] };
};

const candidate = (parts: readonly Part[], last: boolean) => ({
  candidates: [{ content: { role: 'model', parts }, ...(last && { finishReason: 'STOP' }), index: 0 }],
});

/** One document, or a list of them in which each part of the answer comes by itself. */
export const imageAnswer = async (
  order: ImageOrder,
  renderings: Renderings,
  streamed: boolean,
): Promise<object[]> => {
  const responseId = randomBytes(12).toString('base64url');
  const { blocked } = order.wishes;
  if (blocked !== undefined) return [envelope(order, responseId, blockedContent(blocked))];
  const parts = await partsOf(order, renderings);
  if (!streamed) return [envelope(order, responseId, candidate(parts, true))];
  return parts.map((part, index) =>
    envelope(order, responseId, candidate([part], index === parts.length - 1)),
  );
};
