import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SampleGenerator, startSampleGenerator } from '../../../../lib/sample-generator/server.ts';

export const API_KEY = 'test-key';
export const VIDEO_MODEL = 'video-3.1-generate-preview';
export const IMAGE_MODEL = 'image-3.1-flash-image-preview';
export const KEY = { 'x-goog-api-key': API_KEY };

type Running = SampleGenerator & { readonly cacheDir: string; stop(): Promise<void> };

export const runGenerator = async (
  options: Partial<Parameters<typeof startSampleGenerator>[0]> = {},
): Promise<Running> => {
  const cacheDir = options.cacheDir ?? (await mkdtemp(join(tmpdir(), "sample generator's ")));
  const generator = await startSampleGenerator({
    apiKey: API_KEY,
    cacheDir,
    generationSeconds: 0,
    ...options,
  });
  const stop = async () => {
    await generator.close();
    await rm(cacheDir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { ...generator, cacheDir, stop };
};

export const textBody = (prompt: string, parameters: Readonly<Record<string, unknown>> = {}) => ({
  instances: [{ prompt }],
  parameters: { durationSeconds: 4, ...parameters },
});

export const post = (url: string, method: string, body: unknown, headers: Record<string, string> = KEY) =>
  fetch(`${url}/v1beta/models/${method}`, { method: 'POST', headers, body: JSON.stringify(body) });

export const createVideo = (url: string, body: unknown) =>
  post(url, `${VIDEO_MODEL}:predictLongRunning`, body);

export const createImage = (
  url: string,
  prompt: string,
  parts: readonly object[] = [],
  imageConfig: object = { imageSize: '512' },
) =>
  post(url, `${IMAGE_MODEL}:generateContent`, {
    contents: [{ role: 'user', parts: [{ text: prompt }, ...parts] }],
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig },
  });

export type OperationBody = {
  readonly name: string;
  readonly done?: boolean;
  readonly error?: { readonly code: number; readonly message: string };
  readonly response?: {
    readonly generateVideoResponse: {
      readonly generatedSamples?: readonly {
        readonly video: { readonly uri?: string; readonly encodedVideo?: string };
      }[];
      readonly raiMediaFilteredCount?: number;
      readonly raiMediaFilteredReasons?: readonly string[];
    };
  };
};

export const poll = (url: string, name: string) => fetch(`${url}/v1beta/${name}`, { headers: KEY });

export const finish = async (url: string, name: string): Promise<OperationBody> => {
  for (;;) {
    const operation: OperationBody = JSON.parse(await (await poll(url, name)).text());
    if (operation.done === true) return operation;
    await sleep(100);
  }
};

/** Creates a video and polls until the operation is finished. */
export const generate = async (url: string, body: unknown): Promise<OperationBody> => {
  const created: OperationBody = JSON.parse(await (await createVideo(url, body)).text());
  return finish(url, created.name);
};

export const sampleUris = (operation: OperationBody): string[] =>
  operation.response?.generateVideoResponse.generatedSamples?.flatMap(({ video }) => video.uri ?? []) ?? [];
