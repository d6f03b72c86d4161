import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type SampleGenerator,
  startSampleOpenAi,
  startSampleOpenRouter,
} from '../../../../lib/sample-generator/server.ts';
import { API_KEY } from './running-generator.ts';

export const BEARER = { authorization: `Bearer ${API_KEY}` };

type Fields = Readonly<Record<string, unknown>>;

/** The parts of a job that OpenRouter and the Videos API share. */
export type Job = {
  readonly id: string;
  readonly status: string;
  readonly error?: unknown;
  readonly unsigned_urls?: readonly string[];
  readonly usage?: { readonly cost: number };
};

/** A running generator whose videos are jobs. */
export type JobServer = SampleGenerator & {
  readonly jobs: string;
  create(prompt: string, more?: Fields, init?: RequestInit): Promise<Response>;
  poll(id: string): Promise<Response>;
  content(id: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
};

export const readJson = async (response: Response) => JSON.parse(await response.text());

const jobServer = (
  generator: SampleGenerator,
  jobs: string,
  toBody: (prompt: string, more: Fields) => RequestInit,
  cacheDir: string,
): JobServer => ({
  ...generator,
  jobs,
  create: (prompt, more = {}, init = {}) => {
    const { headers, body } = toBody(prompt, more);
    return fetch(jobs, { method: 'POST', headers: { ...BEARER, ...headers }, body: body ?? null, ...init });
  },
  poll: (id) => fetch(`${jobs}/${id}`, { headers: BEARER }),
  content: (id, init = {}) => fetch(`${jobs}/${id}/content`, { headers: BEARER, ...init }),
  stop: async () => {
    await generator.close();
    await rm(cacheDir, { recursive: true, force: true, maxRetries: 5 });
  },
});

const COMMON = { apiKey: API_KEY, drafts: true, generationSeconds: 0 };
const newFolder = () => mkdtemp(join(tmpdir(), 'job-server-'));

/** A request of 4 seconds in 720p with sound, unless a test changes it. */
export const routerBody = (prompt: string, more: Fields = {}) => ({
  model: 'google/veo-3.1',
  prompt,
  duration: 4,
  resolution: '720p',
  aspect_ratio: '16:9',
  generate_audio: true,
  ...more,
});

export const runOpenRouter = async (
  options: Partial<Parameters<typeof startSampleOpenRouter>[0]> = {},
): Promise<JobServer> => {
  const cacheDir = await newFolder();
  const generator = await startSampleOpenRouter({ ...COMMON, cacheDir, ...options });
  const toBody = (prompt: string, more: Fields) => ({ body: JSON.stringify(routerBody(prompt, more)) });
  return jobServer(generator, `${generator.url}/api/v1/videos`, toBody, cacheDir);
};

/** Values are fields, and blobs are files; a field of undefined is left out. */
export const toForm = (fields: Fields): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value])
      if (one instanceof Blob) form.append(name, one, 'picture.png');
      else if (one !== undefined) form.append(name, String(one));
  return form;
};

export const runOpenAi = async (
  options: Partial<Parameters<typeof startSampleOpenAi>[0]> = {},
): Promise<JobServer> => {
  const cacheDir = await newFolder();
  const generator = await startSampleOpenAi({ ...COMMON, cacheDir, ...options });
  const toBody = (prompt: string, more: Fields) => ({
    body: toForm({ model: 'video-3.1-generate-preview', prompt, seconds: '4', size: '1280x720', ...more }),
  });
  return jobServer(generator, `${generator.url}/v1/videos`, toBody, cacheDir);
};

export const startJob = async (server: JobServer, prompt: string, more: Fields = {}): Promise<string> => {
  const { id }: Job = await readJson(await server.create(prompt, more));
  return id;
};

const RUNNING = ['pending', 'queued', 'in_progress', 'processing'];

export const finishJob = async (server: JobServer, id: string): Promise<Job> => {
  for (;;) {
    const job: Job = await readJson(await server.poll(id));
    if (!RUNNING.includes(job.status)) return job;
    await sleep(50);
  }
};

/** Creates a video and polls until it has ended. */
export const generateJob = async (server: JobServer, prompt: string, more: Fields = {}): Promise<Job> =>
  finishJob(server, await startJob(server, prompt, more));

/** Creates a video and downloads it. */
export const generateFile = async (server: JobServer, prompt: string, more: Fields = {}): Promise<Buffer> => {
  const job = await generateJob(server, prompt, more);
  const content = await server.content(job.id);
  assert.equal(content.status, 200, JSON.stringify(job));
  return Buffer.from(await content.arrayBuffer());
};
