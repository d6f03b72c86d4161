import { type Exchange, type Handler, injectFault, readBearer, readQuery, sendJson } from '../exchange.ts';
import { findModel } from '../models.ts';
import { type Operation, randomText } from '../operations.ts';
import { type Dialect, path, type Route } from '../routes.ts';
import { invalid, shortened, UpstreamError } from '../upstream-error.ts';
import { findSample, sendContent } from '../video-files.ts';
import { errorInfo, sendGoogleError } from './errors.ts';
import type { GoogleIdentity } from './google-identity.ts';
import { generateContent } from './images.ts';
import { interactionRoutes } from './interactions.ts';
import type { GoogleProtocol } from './protocol.ts';
import { tokenRoutes } from './token-endpoints.ts';
import { createVideo, fetchPredictOperation } from './video-operations.ts';

/** Vertex AI, and Cloud Storage at the same URL. */

export type VertexPlace = { readonly project: string; readonly location: string };

/** Retired, not permitted and unknown models have the same answer. */
const modelNotFound = (name: string) =>
  new UpstreamError(
    404,
    `Publisher Model \`${name}\` was not found or your project does not have access to it. Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions`,
  );

/** Where Vertex AI stores a video, if the request names a bucket. */
const objectAddress = ({ id, spec }: Operation, sample: number): string | undefined =>
  spec.storageUri && `${spec.storageUri.replace(/\/$/, '')}/${id}/sample_${sample}.mp4`;

const vertexProtocol = ({ project, location }: VertexPlace): GoogleProtocol => {
  const modelName = (model: string) =>
    `projects/${project}/locations/${location}/publishers/google/models/${shortened(model)}`;
  return {
    kind: 'vertex',
    operationName: ({ id, spec }) => `${modelName(spec.model)}/operations/${id}`,
    toVideo: (operation, sample, file) => {
      const gcsUri = objectAddress(operation, sample);
      return gcsUri === undefined || operation.spec.testPrompts.inlineVideo === true
        ? { bytesBase64Encoded: file, mimeType: 'video/mp4' }
        : { gcsUri, mimeType: 'video/mp4' };
    },
    toResult: ({ videos, filtered = [] }) => ({
      '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse',
      raiMediaFilteredCount: filtered.length,
      ...(filtered.length > 0 && { raiMediaFilteredReasons: filtered }),
      ...(videos && { videos }),
    }),
    unknownModel: (model) => modelNotFound(modelName(model)),
    retiredModel: (model) => modelNotFound(modelName(model)),
  };
};

const sendPublisherModel: Handler = async ({ response, groups, generator }) => {
  const { model = '' } = groups;
  const name = `publishers/google/models/${shortened(model)}`;
  if (findModel(generator, model) === undefined) throw modelNotFound(name);
  sendJson(response, { name, versionId: 'default', launchStage: 'GA' });
};

/** The models of the project itself: the call without charge with which an operator checks a credential. */
const sendOwnModels: Handler = async ({ response }) => sendJson(response, { models: [] });

const OBJECT_NAME = /(?:^|\/)([a-z0-9]{11})\/sample_(\d)\.mp4$/;

/** Cloud Storage, where objects other than generated videos do not exist. */
const storageRoutes = (): readonly Route[] => {
  const deleted = new Set<string>();

  const findObject = async ({ groups, generator }: Exchange) => {
    const name = decodeURIComponent(groups.object ?? '');
    const address = `gs://${groups.bucket}/${name}`;
    const [, operationId = '', sample = ''] = OBJECT_NAME.exec(name) ?? [];
    const found = await findSample(generator, operationId, Number(sample));
    const isThere = found !== undefined && objectAddress(found.operation, Number(sample)) === address;
    if (!isThere || deleted.has(address))
      throw new UpstreamError(404, `No such object: ${groups.bucket}/${name}`);
    return { ...found, address };
  };

  const sendObject: Handler = async (exchange) => {
    if (readQuery(exchange.request).get('alt') !== 'media')
      throw invalid('The sample generator does not describe objects: use alt=media.');
    const { address, ...found } = await findObject(exchange);
    await injectFault(exchange, 'file', address, found.testPrompts);
    await sendContent(exchange, address, found);
  };

  const deleteObject: Handler = async (exchange) => {
    deleted.add((await findObject(exchange)).address);
    exchange.response.writeHead(204).end();
  };

  const object = path('/storage/v1/b/(?<bucket>[^/]+)/o/(?<object>[^/]+)');
  return [
    { method: 'GET', path: object, handle: sendObject },
    { method: 'DELETE', path: object, handle: deleteObject },
  ];
};

const LOCATION = 'projects/(?<project>[^/]+)/locations/(?<location>[^/]+)';
const PLACE = `/v1/${LOCATION}`;
const PUBLISHER_MODEL = 'publishers/google/models/(?<model>[^/:]+)';
const MODEL = `${PLACE}/${PUBLISHER_MODEL}`;

const modelRoutes = (protocol: GoogleProtocol): readonly Route[] => [
  { method: 'GET', path: path(`${PLACE}/models`), handle: sendOwnModels },
  { method: 'GET', path: path(`/v1/${PUBLISHER_MODEL}`), handle: sendPublisherModel },
  { method: 'POST', path: path(`${MODEL}:predictLongRunning`), handle: createVideo(protocol) },
  { method: 'POST', path: path(`${MODEL}:fetchPredictOperation`), handle: fetchPredictOperation(protocol) },
  { method: 'POST', path: path(`${MODEL}:generateContent`), handle: generateContent(protocol) },
  ...interactionRoutes({
    base: `/v1beta1/${LOCATION}/interactions`,
    toUri: (operation) => objectAddress(operation, 0) ?? '',
  }),
];

const EXPIRED = errorInfo('ACCESS_TOKEN_EXPIRED', 'googleapis.com', { service: 'aiplatform.googleapis.com' });

const DENIED = errorInfo('IAM_PERMISSION_DENIED', 'aiplatform.googleapis.com', {
  permission: 'aiplatform.endpoints.predict',
});

/** Checks the access token, and that the path names the project and location of this upstream. */
const checkToken = (
  { request, groups, generator }: Exchange,
  identity: GoogleIdentity,
  { project, location }: VertexPlace,
) => {
  if (!identity.isValid(readBearer(request))) throw new UpstreamError(401, undefined, { details: [EXPIRED] });
  if (groups.project === undefined) return;
  if (groups.project !== project || generator.limits.current().blocked === true)
    throw new UpstreamError(
      403,
      `Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/projects/${groups.project}/locations/${groups.location}' (or it may not exist).`,
      { details: [DENIED] },
    );
  if (groups.location !== location) throw new UpstreamError(404);
};

export const vertexDialect = (place: VertexPlace, identity: GoogleIdentity): Dialect => ({
  routes: [...tokenRoutes(identity), ...modelRoutes(vertexProtocol(place)), ...storageRoutes()],
  authenticate: (exchange) => checkToken(exchange, identity, place),
  sendError: sendGoogleError,
  newId: () => randomText(11),
});
