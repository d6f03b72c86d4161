import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/domain/log-events.ts';
import { isCertainRefusal, UpstreamError } from '../../upstream/domain/faults.ts';
import {
  type ImageAnswer,
  type ImageGenerators,
  type ImageRequest,
  imageNeeds,
} from '../../upstream/domain/image-request.ts';
import type { Choice, UpstreamPool } from '../../upstream/domain/pool.ts';
import type { UpstreamReference } from '../../upstream/domain/upstreams.ts';

export type GeneratorAccess = {
  readonly generator: ImageGenerators;
  readonly pool: UpstreamPool;
  readonly now: Clock;
  /** For the whole request, including the second attempt and other upstreams. */
  readonly timeoutMs: number;
  readonly retryDelayMs: number;
};

/** Without a response, the upstream may have made the image, and a second attempt would be charged again. */
const canRetry = (error: unknown): boolean =>
  error instanceof UpstreamError && error.rule.image === 'retried' && error.httpStatus !== undefined;

type Answered = { readonly answer: ImageAnswer; readonly upstream: string };

/** Tries one upstream after another, as long as each of them has certainly not made the image. */
export const callGenerators = async (access: GeneratorAccess, request: ImageRequest): Promise<Answered> => {
  const { pool, now, timeoutMs } = access;
  const { model } = request;
  const deadline = now() + timeoutMs;
  const tried = new Set<string>();
  let refusal: UpstreamError | undefined;
  for (;;) {
    const choice = await pool.choose({ model, tried, needs: imageNeeds(request) });
    if (choice.kind !== 'chosen') throw refusal ?? noUpstream(choice, now());
    const { name } = choice.upstream;
    try {
      const answer = await callGenerator(access, request, choice.upstream, deadline);
      await pool.note(name, model);
      return { answer, upstream: name };
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      await pool.note(name, model, error);
      if (!pool.hasOthers || !isCertainRefusal(error) || now() >= deadline) throw error;
      tried.add(name);
      refusal = error;
    }
  }
};

const noUpstream = (choice: Choice, now: number): UpstreamError =>
  choice.kind === 'paused'
    ? new UpstreamError('busy', 'Every upstream pauses.', {
        retryAfterSeconds: Math.ceil((choice.until - now) / 1000),
      })
    : new UpstreamError(choice.kind === 'retired' ? 'retired' : 'operator', 'No upstream offers the model.');

const callGenerator = async (
  { generator, pool, now, retryDelayMs }: GeneratorAccess,
  request: ImageRequest,
  upstream: UpstreamReference,
  deadline: number,
): Promise<ImageAnswer> => {
  const attempt = () => generator.generate(request, { timeoutMs: Math.max(1, deadline - now()) }, upstream);
  try {
    return await attempt();
  } catch (error) {
    const isElsewhere = pool.hasOthers && error instanceof UpstreamError && isCertainRefusal(error);
    if (isElsewhere || !canRetry(error) || now() + retryDelayMs >= deadline) throw error;
    await sleep(retryDelayMs);
    return attempt();
  }
};
