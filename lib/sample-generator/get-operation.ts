import { readFile } from 'node:fs/promises';
import type { Ending } from './directive-types.ts';
import { sendJson } from './exchange.ts';
import { type Generator, type Handler, injectFault } from './generator.ts';
import type { Operation } from './operation-record.ts';
import { fileId, operationName } from './operations.ts';
import { mp4Padding } from './padding.ts';
import { unreadablePicture } from './pictures.ts';
import type { RenderResult } from './render-cache.ts';
import { UpstreamError } from './upstream-error.ts';

const RESPONSE_TYPE = 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse';
const FILTERED =
  "We encountered an issue with the audio for your prompt, so it couldn't be created. This is a sample of a filtered answer; you have not been charged for this attempt.";

const answer = (generateVideoResponse: object) => ({
  done: true,
  response: { '@type': RESPONSE_TYPE, generateVideoResponse },
});
const failure = (code: number, message: string) => ({ done: true, error: { code, message } });

const endingAnswer = (ending: Ending): object => {
  if (ending.kind === 'never') return {};
  if (ending.kind === 'error')
    return failure(ending.code, 'The sample generator was asked to fail this operation.');
  if (ending.kind === 'no-video') return answer({});
  return answer({ raiMediaFilteredCount: 1, raiMediaFilteredReasons: [FILTERED] });
};

const sampleOf = async (operation: Operation, sample: number, path: string, { addresses }: Generator) => {
  const { inlineVideo, megabytes } = operation.spec.directives;
  if (inlineVideo !== true) {
    return {
      video: { uri: `${addresses().own}/v1beta/files/${fileId(operation, sample)}:download?alt=media` },
    };
  }
  const clip = await readFile(path);
  const bytes = Buffer.concat([clip, ...mp4Padding(clip.length, megabytes)]);
  return { video: { encodedVideo: bytes.toString('base64'), encoding: 'video/mp4' } };
};

const finishedAnswer = async (
  operation: Operation,
  results: readonly RenderResult[],
  generator: Generator,
) => {
  const samples: object[] = [];
  for (const [sample, result] of results.entries()) {
    if (result.outcome === 'unreadable-picture') return failure(3, unreadablePicture);
    if (result.outcome === 'failed') return failure(13, `Video generation failed: ${result.message}`);
    samples.push(await sampleOf(operation, sample, result.path, generator));
  }
  return answer({ generatedSamples: samples });
};

export const getOperation: Handler = async (exchange, generator) => {
  const operation = await generator.operations.find(exchange.groups.operation ?? '');
  if (operation === undefined || operation.spec.model !== exchange.groups.model) throw new UpstreamError(404);
  const { directives } = operation.spec;
  await injectFault(exchange, generator, { place: 'poll', subject: operation.id, directives });
  const results = generator.operations.results(operation);
  const state =
    results === undefined
      ? {}
      : directives.ending === undefined
        ? await finishedAnswer(operation, results, generator)
        : endingAnswer(directives.ending);
  sendJson(exchange.response, { name: operationName(operation), ...state });
};
