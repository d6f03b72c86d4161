/**
 * Answers of OpenRouter in the form of its documentation and its SDK (npm @openrouter/sdk 1.3.19): video jobs from
 * `models/videogenerationresponse`, chats from `models/chatresult`.
 */

export const JOB_ID = 'gen-vid-1760000000-a1b2c3d4e5f6g7h8i9j0';

const job = { id: JOB_ID, polling_url: `/api/v1/videos/${JOB_ID}` };

export const OPENROUTER_JOBS = {
  pending: { ...job, status: 'pending' },
  completed: {
    ...job,
    status: 'completed',
    generation_id: 'gen-1760000000-x',
    unsigned_urls: [`https://openrouter.ai/api/v1/videos/${JOB_ID}/content?index=0`],
    usage: { cost: 3.2, is_byok: false },
  },
} as const;

export const OPENROUTER_CHAT = {
  id: 'gen-1760000000-c0ffee',
  provider: 'Google',
  model: 'google/gemini-3.1-flash-image',
  object: 'chat.completion',
  created: 1760000000,
  system_fingerprint: null,
  choices: [
    {
      index: 0,
      logprobs: null,
      finish_reason: 'stop',
      native_finish_reason: 'STOP',
      message: {
        role: 'assistant',
        content: 'Here is a fox.',
        refusal: null,
        reasoning: null,
        images: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,ZHJhZnQ=' } },
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,ZmluYWw=' } },
        ],
      },
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 1290, total_tokens: 1300, cost: 0.06762 },
} as const;
