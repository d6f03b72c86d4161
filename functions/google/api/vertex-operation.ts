import * as z from 'zod/mini';
import type { BodyFields } from '../../platform/body/fields.ts';
import { parseBody } from '../../platform/body/parse.ts';
import { fields, limitedText } from '../../platform/body/schema.ts';
import { TASK_PREFIX } from '../../platform/domain/ids.ts';
import { failedOperation } from '../../videos/api/native-video.ts';
import type { Task } from '../../videos/domain/task.ts';

/** The parameters of a path; the express form has no project. */
type Place = Readonly<Record<string, string>>;

/** Google's SDK polls the path before `/operations/`. */
export const vertexOperationName = (
  { project = '-', location = '-' }: Place,
  { id, request }: Pick<Task, 'id' | 'request'>,
): string =>
  `projects/${project}/locations/${location}/publishers/google/models/${request.model}/operations/${id}`;

const fetchSchema = fields({ operationName: limitedText(1000, 'is required: the name of the operation.') });

/** The task that `fetchPredictOperation` asks for, whatever model its path and the name have. */
export const readOperationTaskId = (body: BodyFields): string => {
  const { operationName } = parseBody(fetchSchema, body);
  return operationName.slice(operationName.lastIndexOf('/') + 1);
};

/** In Base64 a third more, which is less than the 10 MB that the gateway streams at full speed. */
export const MAX_INLINE_VIDEO_BYTES = 7_000_000;

const videoSchema = z.union([
  z.object({ bytesBase64Encoded: z.string(), mimeType: z.literal('video/mp4') }),
  z.object({ gcsUri: z.url(), mimeType: z.literal('video/mp4') }),
]);
export type VertexVideo = z.infer<typeof videoSchema>;

const RESPONSE_TYPE = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse';

/** `video` is that of a completed task. */
export const vertexOperation = (name: string, task: Task, video: VertexVideo | undefined) => {
  const finished = (response: object) => ({
    name,
    done: true,
    response: { '@type': RESPONSE_TYPE, raiMediaFilteredCount: 0, ...response },
  });
  if (video !== undefined) return finished({ videos: [video] });
  if (task.status !== 'failed') return { name, done: false };
  const { filtered, failed } = failedOperation(name, task);
  return failed ?? finished(filtered);
};

/**
 * Anyone can download the video at the signed address, as from a bucket. Google's SDK instead takes the id after `files/`
 * and calls `/v1beta1/files/ID:download`; the fragment has it, because it is not part of the signature.
 */
export const vertexAddress = (signedUrl: string, { id }: Pick<Task, 'id'>): string =>
  `${signedUrl}#files/${id.slice(TASK_PREFIX.length)}`;
