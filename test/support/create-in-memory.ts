import { imageFieldIn } from '../../functions/catalogue/api/image.ts';
import { readBody } from '../../functions/platform/body/request-body.ts';
import { DomainError } from '../../functions/platform/domain/errors.ts';
import { readVideoDraft, videoFieldNames } from '../../functions/videos/api/read-video-request.ts';
import { createdVideoObject } from '../../functions/videos/api/video-object.ts';
import { resolveVideoRequest, type VideoRequest } from '../../functions/videos/domain/video-request.ts';
import { createTask } from '../../functions/videos/usecases/create-task.ts';
import { buildLimiter } from './builders/limiter.ts';
import { buildWorker } from './builders/worker.ts';
import { ADMITS_ALL } from './in-memory/queue-ages.ts';
import { ONLY } from './in-memory/upstreams.ts';
import { withKnownModel } from './model-names.ts';
import { LOCAL_IMAGES } from './remote-images.ts';

export type SentBody = {
  readonly body: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
};

type Created = {
  readonly video: ReturnType<typeof createdVideoObject>;
  /** The request that is sent on; the video object shows only a part of it. */
  readonly request: VideoRequest;
};

/** The result, or the refusal that a client gets; any other error is a fault of the service. */
export const orRefusal = <Result>(made: Promise<Result>): Promise<Result | DomainError> =>
  made.catch((error: unknown) => {
    if (error instanceof DomainError) return error;
    throw error;
  });

/** Creates videos as `POST /v1/videos` does, with stores in memory. */
export const videoCreator = () => {
  const dependencies = {
    ...buildWorker().worker,
    limiter: buildLimiter(),
    admission: ADMITS_ALL,
    requestMegabytes: 20,
    remoteImages: LOCAL_IMAGES,
    upstreams: [ONLY],
  };
  const create = async (sent: SentBody): Promise<Created> => {
    const received = new Request('http://service.test', { method: 'POST', ...sent });
    const contentType = received.headers.get('content-type') ?? undefined;
    const fields = withKnownModel(await readBody(contentType, await received.bytes()));
    const request = resolveVideoRequest(readVideoDraft(fields).data, videoFieldNames(fields));
    const caller = { account: 'acme', keyId: 'key', personId: undefined };
    const { task } = await createTask(dependencies, caller, request, {
      fieldName: imageFieldIn(fields),
      fieldNames: videoFieldNames(fields),
    });
    return { video: createdVideoObject(task), request };
  };
  return (sent: SentBody): Promise<Created | DomainError> => orRefusal(create(sent));
};
