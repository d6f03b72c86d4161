import type { Endpoint } from '../../identity/api/endpoint.ts';

export const getRoot = {
  method: 'GET',
  path: '/',
  summary: 'Redirect to the console',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const getConsole = {
  method: 'GET',
  path: '/console',
  summary: 'Get the console',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const getConsolePage = {
  method: 'GET',
  path: '/console/{path}',
  route: '/console/{path+}',
  summary: 'Get a page or file of the console',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const getSession = {
  method: 'GET',
  path: '/v1/console/session',
  summary: 'Get the current session',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const CONSOLE_ENDPOINTS = { getRoot, getConsole, getConsolePage, getSession };
