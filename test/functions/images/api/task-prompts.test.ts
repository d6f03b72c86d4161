import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isTaskPrompt } from '../../../../functions/images/api/task-prompts.ts';

const TASKS = [
  '### Task:\nGenerate 1-3 broad tags.\n### Output:\nJSON format: { "tags": ["tag1"] }',
  'Provide a concise, 5-word-or-less title for the conversation, using title case conventions.',
  'Analyze this conversation and provide:\n1. The detected language\n2. A concise title',
  'Based on the chat history, give this conversation a name.\nKeep it short.',
  '\nPlease generate a four to five word title summarizing our conversation without any lead-in.',
  '使用四到五个字直接返回这句话的简要主题，不要解释',
  'You are an AI conversation titles assistant who specializes in chat titles.',
];

/** The first two begin like a task, the others contain the words of one. */
const PICTURES = [
  '### Task:\nRespond to the user query using the provided context: a fox',
  'Analyze this conversation and provide: a drawing of it',
  'A poster that says: Provide a concise, 5-word-or-less title for the conversation',
  'A book cover with the title "Generate a concise title"',
  'Summarize the conversation as a comic',
  '',
];

describe('a prompt of a chat application', () => {
  for (const prompt of TASKS)
    test(`is recognized: ${prompt.trim().slice(0, 50)}`, () => assert.ok(isTaskPrompt(prompt)));
});

describe('a prompt for a picture', () => {
  for (const prompt of PICTURES)
    test(`is left alone: ${prompt.slice(0, 50)}`, () => assert.ok(!isTaskPrompt(prompt)));
});
