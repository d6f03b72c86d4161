import * as z from 'zod/mini';
import { refuse } from '../../platform/body/parse.ts';
import { forbidden, leaf } from '../../platform/body/schema.ts';
import type { GivenImageTurn } from '../../upstream/domain/image-request.ts';

/**
 * Chat applications ask the model of a chat for titles, tags, follow-up questions and summaries, and would get an image
 * that nobody asked for. Most of these requests have the same options as a chat, so a deployment that refuses them
 * recognizes them by the default prompts of the applications.
 */
type TaskPrompt = { readonly begins: string; readonly contains?: string };

const TASK_PROMPTS: readonly TaskPrompt[] = [
  // Open WebUI, all tasks. Its prompt for a chat about documents begins the same, but asks for no JSON.
  { begins: '### Task:', contains: 'JSON format' },
  // LibreChat
  { begins: 'Provide a concise, 5-word-or-less title for the conversation' },
  { begins: 'Analyze this conversation and provide:', contains: 'title' },
  // Chatbox
  { begins: 'Based on the chat history, give this conversation a name.' },
  { begins: 'Summarize this conversation as a handoff briefing' },
  // NextChat in English and Chinese
  { begins: 'Please generate a four to five word title summarizing our conversation' },
  { begins: 'Summarize the discussion briefly in 200 words or less' },
  { begins: '使用四到五个字直接返回这句话的简要主题' },
  { begins: '简要总结一下对话内容' },
  // big-AGI
  { begins: 'You are an AI conversation titles assistant' },
  // Cherry Studio, versions 2 and 1
  { begins: 'Summarize the conversation into a title' },
  { begins: 'Summarize the given session as a 10-word title' },
  // LobeChat
  { begins: 'You are a professional conversation summarizer' },
];

export const isTaskPrompt = (text: string): boolean => {
  const start = text.trimStart();
  return TASK_PROMPTS.some(
    ({ begins, contains = '' }) => start.startsWith(begins) && start.includes(contains),
  );
};

/** Completes a sentence about an option that asks for text. */
export const ASKS_FOR_TEXT =
  'this model only makes images. If an application sent this for a title, tags, follow-up questions or a check, choose a text model for such tasks in its settings.';

/** The upstream's images have at least this many output tokens at the default size, 1K. */
export const LEAST_IMAGE_TOKENS = 1120;

/** What a deployment does with the chores of chat applications; a setting, because only a guess tells them from prompts. */
export const CHAT_CHORES = ['accept', 'refuse'] as const;
export type ChatChores = (typeof CHAT_CHORES)[number];

type Signs = {
  readonly instructions: readonly string[];
  readonly turns: readonly GivenImageTurn[];
  readonly path: readonly string[];
  readonly maxTokens: { readonly given: number | undefined; readonly path: readonly string[] };
  /** Whether the request names an option of images. */
  readonly wantsImage: boolean;
};

/** Rejects the default prompts of applications, as an instruction or as the user's last turn, and limits that no image fits into. */
export const refuseChores = (
  context: z.core.ParsePayload,
  { instructions, turns, path, maxTokens, wantsImage }: Signs,
): void => {
  const parts = turns.findLast(({ role }) => role === 'user')?.parts ?? [];
  const texts = parts.flatMap(({ content }) => (content.kind === 'text' ? [content.text] : []));
  if ([...instructions, texts.join('\n')].some(isTaskPrompt))
    refuse(context, `asks for text, but ${ASKS_FOR_TEXT}`, { path });
  else if (maxTokens.given !== undefined && maxTokens.given < LEAST_IMAGE_TOKENS && !wantsImage)
    refuse(
      context,
      `must be at least ${LEAST_IMAGE_TOKENS}, which an image takes, or be left out: ${ASKS_FOR_TEXT}`,
      { path: maxTokens.path },
    );
};

/** Rejected rather than ignored, because the client would wait for a tool call that never comes. */
export const noTools = z.optional(
  leaf(
    (value, context): readonly unknown[] =>
      Array.isArray(value) && value.length === 0
        ? value
        : refuse(
            context,
            `is not supported: the model generates images and calls no tools. Turn off the application's tools for this model, or choose a text model.`,
          ),
    { type: 'array', items: { type: 'object' }, maxItems: 0 },
  ),
);

/** The only format of text that can accompany an image. */
export const plainTextFormat = (name: string) =>
  leaf(
    (value, context): string =>
      value === name ? name : refuse(context, `must be ${name}, or be left out: ${ASKS_FOR_TEXT}`),
    { type: 'string', const: name },
  );

export const noSchema = forbidden(
  (context) => refuse(context, `is not supported: ${ASKS_FOR_TEXT}`),
  'Not supported: this model only makes images.',
);
