import type { Endpoint } from '../../identity/api/endpoint.ts';

export const listNativeModels = {
  method: 'GET',
  path: '/v1beta/models',
  summary: 'List the models, native format',
  role: 'viewer',
  dialect: 'native',
} as const satisfies Endpoint;

export const getNativeModel = {
  method: 'GET',
  path: '/v1beta/models/{model}',
  route: '/v1beta/models/{modelAction}',
  summary: 'Get a model, native format',
  role: 'viewer',
  dialect: 'native',
} as const satisfies Endpoint;

export const listModels = {
  method: 'GET',
  path: '/v1/models',
  summary: 'List the models',
  role: 'viewer',
} as const satisfies Endpoint;

export const getModel = {
  method: 'GET',
  path: '/v1/models/{model}',
  summary: 'Get a model',
  role: 'viewer',
} as const satisfies Endpoint;

export const MODEL_ENDPOINTS = { listNativeModels, getNativeModel, listModels, getModel };
