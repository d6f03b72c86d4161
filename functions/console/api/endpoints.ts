import { GET } from '../../identity/api/declare-endpoint.ts';

export const CONSOLE_ENDPOINTS = {
  getRoot: GET('/', 'Redirect to the console', 'public'),
  getConsole: GET('/console', 'Get the console', 'public'),
  getConsolePage: GET('/console/{path}', 'Get a page or file of the console', 'public', {
    route: '/console/{path+}',
  }),
  getSession: GET('/v1/console/session', 'Get the current session', 'viewer'),
};
