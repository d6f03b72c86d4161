import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { functionFiles } from '../../../lib/lambda/bundle-options.ts';
import { HOME } from '../../../lib/local/emulators/start.ts';
import { functionEnvironment, readFunctions } from '../../../lib/local/functions/definition.ts';
import type { InvocationResult } from '../../../lib/local/functions/function-host.ts';
import type { TakeChunk } from '../../../lib/local/functions/function-process.ts';
import {
  awslambda,
  openResponseStream,
  readStreaming,
} from '../../../lib/local/functions/runtime-handler.ts';
import { readApi } from '../../../lib/local/gateway/api-definition.ts';
import { startGateway } from '../../../lib/local/gateway/gateway.ts';
import { requestLine } from '../../../lib/local/start/log-lines.ts';
import { createStack } from '../../../lib/local/template/stack.ts';
import { readSynthesizedStack } from '../../../lib/local/template/template.ts';
import { captureLog, readStreamedAnswer } from '../../support/functions-in-process.ts';
import { service as observed } from './service.ts';

/**
 * The API of the service with functions that run in this process, for tests without concurrent requests: to start a
 * process for each takes as long as all other tests of the service. Each function has its own environment, and with it
 * the credentials of its role, when it is loaded and when it first uses a client; so requests are answered in turn.
 */

const { template, assetPath } = await readSynthesizedStack(observed.files);
const { endpoint, region } = observed.operator;
const stack = createStack(template, { ...HOME, stackName: 'MediaGeneration', endpoint });
const credentials = (principal: string) => observed.cloud.clientConfig(principal).credentials;
const environments = new Map(
  readFunctions(stack, assetPath).map((definition) => [
    definition.logicalId,
    functionEnvironment(definition, { region, endpoint, credentials }),
  ]),
);

const lines = captureLog();
const printed: string[] = [];
Object.assign(globalThis, { awslambda });
const sources = functionFiles();
const context = { getRemainingTimeInMillis: () => 60_000 };

/** The source of `GetVideo94B5C387` is `get-video.ts`. */
const findSource = (functionId: string): URL => {
  const words = functionId.replace(/[0-9A-F]{8}$/, '').replace(/\B[A-Z]/g, '-$&');
  return pathToFileURL(sources.get(words.toLowerCase()) ?? functionId);
};

process.env._X_AMZN_TRACE_ID = 'Root=1-5759e988-bd862e3fe1be46a994272793';
let current = '';

const run = async (functionId: string, payload: string, takeChunk: TakeChunk): Promise<InvocationResult> => {
  // To set variables takes longer than most of an answer.
  if (functionId !== current) Object.assign(process.env, environments.get(functionId));
  current = functionId;
  const { handler } = await import(findSource(functionId).href);
  const done = { type: 'response', requestId: randomUUID() } as const;
  const streaming = readStreaming(handler);
  if (streaming === undefined)
    return { ...done, payload: JSON.stringify(await handler(JSON.parse(payload), context)) };
  const { stream, sent } = openResponseStream(takeChunk, streaming);
  await handler(JSON.parse(payload), stream, context);
  await sent;
  return { ...done, payload: '' };
};

let last: Promise<unknown> = Promise.resolve();
const inTurn: typeof run = (...invocation) => {
  const answer = last.then(() => run(...invocation));
  last = answer.catch(() => {});
  return answer;
};

const invoke = async (
  functionId: string,
  payload: string,
): Promise<InvocationResult & { payload: string }> => {
  const chunks: Uint8Array[] = [];
  const result = await inTurn(functionId, payload, async (chunk) => void chunks.push(chunk));
  if (result.type !== 'response') throw new Error(result.type);
  return chunks.length === 0 ? result : { ...result, payload: Buffer.concat(chunks).toString() };
};

const api = readApi(stack);
const { port, close } = await startGateway({
  api,
  port: 0,
  functions: { invoke, stream: inTurn },
  onRequest: (log) => printed.push(requestLine(log)),
});
after(close);

const answerSchema = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/** The service with this API; its logs begin with those of the functions that have processes. */
export const service = {
  ...observed,
  baseUrl: `http://localhost:${port}/${api.stage}`,
  logs: () => [...observed.logs(), ...lines.map((line) => JSON.stringify(line))],
  printed: () => [...observed.printed(), ...printed],
};

export const inProcess = {
  routes: api.routes,
  /** Passes an event to a function as the gateway does. */
  answer: async (functionId: string, event: object) => {
    const { payload } = await invoke(functionId, JSON.stringify(event));
    return answerSchema.parse(payload.includes('\0') ? readStreamedAnswer(payload) : JSON.parse(payload));
  },
};
