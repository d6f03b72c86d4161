import type { Endpoint } from '../../identity/api/endpoint.ts';
import { readListQuery, readTaskFilter } from './video-list.ts';
import { readIncludes } from './video-object.ts';

export const createVideo = {
  method: 'POST',
  path: '/v1/videos',
  summary: 'Create a video task',
  role: 'member',
} as const satisfies Endpoint;

export const listVideos = {
  method: 'GET',
  path: '/v1/videos',
  summary: 'List video tasks',
  role: 'viewer',
  query: (query, queryAll) => ({
    includes: readIncludes(queryAll('include')),
    wanted: { ...readListQuery(query), filter: readTaskFilter(query) },
  }),
} as const satisfies Endpoint;

export const getVideo = {
  method: 'GET',
  path: '/v1/videos/{task_id}',
  summary: 'Get a video task',
  role: 'viewer',
  query: (_query, queryAll) => readIncludes(queryAll('include')),
} as const satisfies Endpoint;

export const cancelVideo = {
  method: 'POST',
  path: '/v1/videos/{task_id}/cancel',
  summary: 'Cancel a video task',
  role: 'member',
} as const satisfies Endpoint;

export const deleteVideo = {
  method: 'DELETE',
  path: '/v1/videos/{task_id}',
  summary: 'Delete a video',
  role: 'member',
} as const satisfies Endpoint;

export const downloadVideo = {
  method: 'GET',
  path: '/v1/videos/{task_id}/content',
  summary: 'Download a video',
  role: 'viewer',
} as const satisfies Endpoint;

export const getVideoInput = {
  method: 'GET',
  path: '/v1/videos/{task_id}/inputs/{index}',
  summary: 'Download an input image',
  role: 'viewer',
} as const satisfies Endpoint;

export const VIDEO_ENDPOINTS = {
  createVideo,
  listVideos,
  getVideo,
  cancelVideo,
  deleteVideo,
  downloadVideo,
  getVideoInput,
};

export const createGeneration = {
  method: 'POST',
  path: '/v1/video/generations',
  summary: 'Create a video task, generations style',
  role: 'member',
} as const satisfies Endpoint;

export const getGeneration = {
  method: 'GET',
  path: '/v1/video/generations/{task_id}',
  summary: 'Get a video task with its result URL',
  role: 'viewer',
} as const satisfies Endpoint;

export const predictLongRunning = {
  method: 'POST',
  path: '/v1beta/models/{model}:predictLongRunning',
  // Each name of a video model has a route of its own, so that images have another function.
  route: '/v1beta/models/*:predictLongRunning',
  summary: 'Create a video task, native format',
  role: 'member',
  dialect: 'native',
} as const satisfies Endpoint;

export const getModelOperation = {
  method: 'GET',
  path: '/v1beta/models/{model}/operations/{operation}',
  route: '/v1beta/models/{modelAction}/operations/{operation}',
  summary: 'Get a video task, native format',
  role: 'viewer',
  dialect: 'native',
} as const satisfies Endpoint;

export const getOperation = {
  method: 'GET',
  path: '/v1beta/operations/{operation}',
  summary: 'Get a video task by its id, native format',
  role: 'viewer',
  dialect: 'native',
} as const satisfies Endpoint;

export const downloadFile = {
  method: 'GET',
  path: '/v1beta/files/{file}:download',
  route: '/v1beta/files/{file+}',
  summary: 'Download a video, native format',
  role: 'viewer',
  dialect: 'native',
} as const satisfies Endpoint;

export const ALTERNATIVE_VIDEO_ENDPOINTS = {
  createGeneration,
  getGeneration,
  predictLongRunning,
  getModelOperation,
  getOperation,
  downloadFile,
};
