import { openAiClient, openAiVideos } from '../../../../functions/upstream/adapters/openai.ts';
import type { OptionStyle } from '../../../../functions/upstream/domain/upstreams.ts';
import type { TaskRequest } from '../../../../functions/videos/domain/task.ts';
import { aTask } from '../../../support/builders/task.ts';
import { credentialFrom } from './answering-client.ts';

export const TIMEOUTS = { submit: 20_000, check: 20_000 };
/** A job of the form of OpenAI's SDK. */
export const VIDEO = {
  id: 'video_68d7',
  object: 'video',
  model: 'veo',
  status: 'queued',
  progress: 0,
  created_at: 1_760_000_000,
  completed_at: null,
  expires_at: null,
  seconds: '6',
  size: '1280x720',
  prompt: 'a lighthouse',
  remixed_from_video_id: null,
  error: null,
};

type Options = {
  readonly style?: OptionStyle;
  readonly credential?: ReturnType<typeof credentialFrom>;
  readonly timeouts?: typeof TIMEOUTS;
};

/** A client of a server below /base, whose only model is `veo`. */
export const videosAt = (
  url: string,
  { style = 'none', credential = credentialFrom(async () => 'secret'), timeouts = TIMEOUTS }: Options = {},
) =>
  openAiVideos(
    openAiClient({ baseUrl: `${url}/base`, options: style, credential, modelName: () => 'veo', fetch }),
    timeouts.check,
    timeouts,
  );

/** A request without options that the API does not have. */
export const PLAIN: TaskRequest = { ...aTask().request, seed: undefined };
