import * as z from 'zod/mini';
import { refuse } from '../../platform/body/parse.ts';
import { forbidden, leaf } from '../../platform/body/schema.ts';
import type { GivenImageTurn } from '../domain/image-request.ts';
import { isTaskPrompt } from './task-prompts.ts';

/**
 * Chat applications also send requests for titles, tags and follow-up questions to the model of the chat. They are
 * rejected by their options or prompts, because the answer would be an image that nobody asked for.
 */

/** Completes a sentence about an option that asks for text. */
export const ASKS_FOR_TEXT =
  'the model answers with an image. If an application sent this for a title, tags, follow-up questions or a check, choose a text model for such tasks in its settings.';

/** The upstream's images have at least this many output tokens at the default size, 1K. */
export const LEAST_IMAGE_TOKENS = 1120;

/** Rejects a limit that no image fits into, unless the request says that it wants an image. */
export const requireRoomForImage = (
  context: z.core.ParsePayload,
  { most, wantsImage, path }: { most: number | undefined; wantsImage: boolean; path: readonly string[] },
): void => {
  if (most === undefined || most >= LEAST_IMAGE_TOKENS || wantsImage) return;
  refuse(
    context,
    `must be at least ${LEAST_IMAGE_TOKENS}, which an image takes, or be left out: ${ASKS_FOR_TEXT}`,
    { path },
  );
};

type Prompts = {
  readonly instructions: readonly string[];
  readonly turns: readonly GivenImageTurn[];
  readonly path: readonly string[];
};

/** Rejects the default prompts of applications, as an instruction or as the user's last turn. */
export const refuseTaskPrompts = (
  context: z.core.ParsePayload,
  { instructions, turns, path }: Prompts,
): void => {
  const parts = turns.findLast(({ role }) => role === 'user')?.parts ?? [];
  const texts = parts.flatMap(({ content }) => (content.kind === 'text' ? [content.text] : []));
  if ([...instructions, texts.join('\n')].some(isTaskPrompt))
    refuse(context, `ask for text: ${ASKS_FOR_TEXT}`, { path });
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
  'Not supported: the model answers with an image.',
);
