import { DELETE, declareFor, GET, POST } from '../../identity/api/declare-endpoint.ts';
import { readListQuery, readTaskFilter } from './video-list.ts';
import { readIncludes } from './video-object.ts';

export const VIDEO_ENDPOINTS = {
  createVideo: POST('/v1/videos', 'Create a video task', 'member'),
  listVideos: GET('/v1/videos', 'List video tasks', 'viewer', {
    query: (query, queryAll) => ({
      includes: readIncludes(queryAll('include')),
      wanted: { ...readListQuery(query), filter: readTaskFilter(query) },
    }),
  }),
  getVideo: GET('/v1/videos/{task_id}', 'Get a video task', 'viewer', {
    query: (_query, queryAll) => readIncludes(queryAll('include')),
  }),
  cancelVideo: POST('/v1/videos/{task_id}/cancel', 'Cancel a video task', 'member'),
  deleteVideo: DELETE('/v1/videos/{task_id}', 'Delete a video', 'member'),
  downloadVideo: GET('/v1/videos/{task_id}/content', 'Download a video', 'viewer'),
  getVideoInput: GET('/v1/videos/{task_id}/inputs/{index}', 'Download an input image', 'viewer'),
};

const google = declareFor('google');

export const ALTERNATIVE_VIDEO_ENDPOINTS = {
  createGeneration: POST('/v1/video/generations', 'Create a video task, generations style', 'member'),
  getGeneration: GET('/v1/video/generations/{task_id}', 'Get a video task with its result URL', 'viewer'),
  predictLongRunning: google.POST(
    '/v1beta/models/{model}:predictLongRunning',
    'Create a video task, native format',
    'member',
    {
      // Each name of a video model has a route of its own, so that images have another function.
      route: '/v1beta/models/*:predictLongRunning',
    },
  ),
  getModelOperation: google.GET(
    '/v1beta/models/{model}/operations/{operation}',
    'Get a video task, native format',
    'viewer',
    {
      route: '/v1beta/models/{modelAction}/operations/{operation}',
      alsoAt: ['/v1/models/{modelAction}/operations/{operation}'],
    },
  ),
  getOperation: google.GET(
    '/v1beta/operations/{operation}',
    'Get a video task by its id, native format',
    'viewer',
    { alsoAt: ['/v1/operations/{operation}'] },
  ),
  downloadFile: google.GET('/v1beta/files/{file}:download', 'Download a video, native format', 'viewer', {
    route: '/v1beta/files/{file_id+}',
  }),
};
