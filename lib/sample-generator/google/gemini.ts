import { type Exchange, type Generator, type Handler, injectFault, sendJson } from '../exchange.ts';
import { findModel, listModels } from '../models.ts';
import { fileId, type Operation, randomText } from '../operations.ts';
import { type Dialect, path, type Route } from '../routes.ts';
import type { Medium } from '../test-prompts.ts';
import { shortened, UpstreamError } from '../upstream-error.ts';
import { findFile, foreignAddress, sendContent } from '../video-files.ts';
import { errorInfo, sendGoogleError } from './errors.ts';
import { generateContent } from './images.ts';
import { interactionRoutes } from './interactions.ts';
import { type GoogleProtocol, METHODS } from './protocol.ts';
import { createVideo, getOperation } from './video-operations.ts';

/** The Gemini API. */

const unknownModel = (model: string, method: string) =>
  new UpstreamError(
    404,
    `models/${shortened(model)} is not found for API version v1beta, or is not supported for ${method}. Call ListModels to see the list of available models and their supported methods.`,
  );

const retiredModel = (model: string, replacement: string | null) =>
  new UpstreamError(
    404,
    replacement === null
      ? `This model models/${model} is no longer available. Please update your code to use a newer model for the latest features and improvements.`
      : `This model models/${model} is no longer available. Please update your code to use models/${replacement} for the latest features and improvements. We recommend you to use the Interactions API (https://ai.google.dev/gemini-api/docs/get-started).`,
  );

const fileUri = (operation: Operation, sample: number, { addresses }: Generator): string =>
  `${addresses().own}/v1beta/files/${fileId(operation, sample)}:download?alt=media`;

const PROTOCOL: GoogleProtocol = {
  kind: 'gemini',
  operationName: ({ id, spec }) => `models/${spec.model}/operations/${id}`,
  toVideo: (operation, sample, file, generator) =>
    operation.spec.testPrompts.inlineVideo === true
      ? { video: { encodedVideo: file, encoding: 'video/mp4' } }
      : { video: { uri: fileUri(operation, sample, generator) } },
  toResult: ({ videos, filtered }) => ({
    '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
    generateVideoResponse: {
      ...(videos && { generatedSamples: videos }),
      ...(filtered && { raiMediaFilteredCount: filtered.length, raiMediaFilteredReasons: filtered }),
    },
  }),
  unknownModel,
  retiredModel,
};

const toModel = (model: string, medium: Medium) => ({
  name: `models/${model}`,
  version: '3.1',
  displayName: `Sample of ${model}`,
  supportedGenerationMethods: [METHODS[medium]],
});

/** Also the call without charge with which an operator checks a key. */
const sendModels: Handler = async ({ response, generator }) =>
  sendJson(response, { models: listModels(generator).map(({ model, medium }) => toModel(model, medium)) });

const sendModel: Handler = async ({ response, groups, generator }) => {
  const { model = '' } = groups;
  const found = findModel(generator, model);
  if (found === undefined) throw unknownModel(model, 'getModel');
  sendJson(response, toModel(model, found.medium));
};

const MODEL = '/v1beta/models/(?<model>[^/:]+)';
const OPERATION = `${MODEL}/operations/(?<operation>[a-z0-9]{11})`;
const FILE = '/v1beta/files/(?<file>[a-z0-9]{12})';
const CONTENT = `${FILE}:download`;

const fileRoutes = (): readonly Route[] => {
  const deleted = new Set<string>();

  const requireFile = async ({ groups, generator }: Exchange) => {
    const { file: id = '' } = groups;
    const found = await findFile(generator, id);
    if (found !== undefined && !deleted.has(id)) return { ...found, id };
    // The upstream answers alike for missing and forbidden files.
    throw new UpstreamError(403, `You do not have permission to access the File ${id} or it may not exist.`);
  };

  /** The public URL of a file redirects to its content. */
  const redirectToFile: Handler = async (exchange) => {
    const { response, generator } = exchange;
    const { id, testPrompts } = await requireFile(exchange);
    await injectFault(exchange, 'file', id, testPrompts);
    const location =
      testPrompts.foreignRedirect === true
        ? foreignAddress(generator, id)
        : `${generator.addresses().own}/download/v1beta/files/${id}:download?alt=media`;
    response.writeHead(302, { location }).end();
  };

  const deleteFile: Handler = async (exchange) => {
    deleted.add((await requireFile(exchange)).id);
    sendJson(exchange.response, {});
  };

  const sendFile: Handler = async (exchange) => {
    const found = await requireFile(exchange);
    await sendContent(exchange, found.id, found);
  };

  return [
    { method: 'GET', path: path(CONTENT), handle: redirectToFile },
    { method: 'DELETE', path: path(FILE), handle: deleteFile },
    { method: 'GET', path: path(`/download${CONTENT}`), handle: sendFile },
  ];
};

const INTERACTIONS = {
  base: '/v1beta/interactions',
  toUri: (operation: Operation, generator: Generator) => fileUri(operation, 0, generator),
};

const createRoutes = (): readonly Route[] => [
  { method: 'GET', path: path('/v1beta/models'), handle: sendModels },
  { method: 'GET', path: path(MODEL), handle: sendModel },
  { method: 'POST', path: path(`${MODEL}:predictLongRunning`), handle: createVideo(PROTOCOL) },
  { method: 'GET', path: path(OPERATION), handle: getOperation(PROTOCOL) },
  ...fileRoutes(),
  { method: 'POST', path: path(`${MODEL}:generateContent`), handle: generateContent(PROTOCOL) },
  ...interactionRoutes(INTERACTIONS),
];

const INVALID_KEY = errorInfo('API_KEY_INVALID', 'googleapis.com', {
  service: 'generativelanguage.googleapis.com',
});

export type GeminiOptions = { readonly apiKey: string; readonly keyHeader?: string };

const checkKey = (
  { request, generator }: Exchange,
  { apiKey, keyHeader = 'x-goog-api-key' }: GeminiOptions,
) => {
  const given = request.headers[keyHeader.toLowerCase()];
  if (given === undefined) {
    throw new UpstreamError(
      403,
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  }
  if (given !== apiKey)
    throw new UpstreamError(400, 'API key not valid. Please pass a valid API key.', {
      details: [INVALID_KEY],
    });
  if (generator.limits.current().blocked === true)
    throw new UpstreamError(403, 'Your API key was reported as leaked. Please use another API key.');
};

export const geminiDialect = (options: GeminiOptions): Dialect => ({
  routes: createRoutes(),
  authenticate: (exchange) => checkKey(exchange, options),
  sendError: sendGoogleError,
  newId: () => randomText(11),
});
