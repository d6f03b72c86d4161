import type { Endpoint } from '../../identity/api/endpoint.ts';

export const getRoot = {
  method: 'GET',
  path: '/',
  tag: 'Console',
  summary: 'Redirect to the console',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const getConsole = {
  method: 'GET',
  path: '/console',
  tag: 'Console',
  summary: 'Get the console',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const getConsolePage = {
  method: 'GET',
  path: '/console/{path}',
  route: '/console/{path+}',
  tag: 'Console',
  summary: 'Get a page or file of the console',
  role: 'public',
  throttle: 'public',
} as const satisfies Endpoint;

export const getSession = {
  method: 'GET',
  path: '/v1/console/session',
  tag: 'Console',
  summary: 'Get the current session',
  role: 'viewer',
  key: 'admin',
} as const satisfies Endpoint;

export const CONSOLE_ENDPOINTS = { getRoot, getConsole, getConsolePage, getSession };
