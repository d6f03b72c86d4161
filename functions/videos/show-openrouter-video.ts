import { s3Client } from '../platform/aws/s3-client.ts';
import { s3Links } from './adapters/s3-media.ts';
import { openRouterVideoObject } from './api/openrouter-video.ts';
import type { VideoLinks } from './domain/media.ts';
import type { Task } from './domain/task.ts';
import { linkVideo } from './usecases/read-videos.ts';

let links: VideoLinks | undefined;

type Place = { readonly baseUrl: string; readonly bucket: string };

/** OpenRouter's clients download without a key, so the URL is signed, which takes no call. */
export const showOpenRouterVideo = async (task: Task, { baseUrl, bucket }: Place) => {
  const now = Date.now();
  const isReady = task.file !== undefined && (task.expiresAt === undefined || now < task.expiresAt);
  links ??= s3Links(s3Client(), bucket);
  const found = { tasks: { find: async () => task }, links, now: Date.now };
  const videoUrl = isReady ? await linkVideo(found, task.account, task.id) : undefined;
  return openRouterVideoObject(task, { baseUrl, now, videoUrl });
};
