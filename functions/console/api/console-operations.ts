import { type ApiPart, response } from '../../platform/openapi/operation.ts';
import { pathParameter } from '../../platform/openapi/parameters.ts';

const page = { tag: 'Console', method: 'get' } as const;
const PAGE = { 200: response('HTML.', { 'text/html': { schema: { type: 'string' } } }) };

export const CONSOLE_API: ApiPart = {
  parameters: {
    ConsolePath: pathParameter('path', 'A page of the console, or one of its files.', { type: 'string' }),
  },
  operations: [
    {
      ...page,
      path: '/',
      id: 'getRoot',
      summary: 'Redirect to the console',
      responses: { 302: { description: 'The URL of the console.' } },
    },
    { ...page, path: '/console', id: 'getConsole', summary: 'Get the console', responses: PAGE },
    {
      ...page,
      path: '/console/{path}',
      id: 'getConsolePage',
      summary: 'Get a page or file of the console',
      parameters: ['ConsolePath'],
      responses: PAGE,
      errors: ['not_found'],
    },
  ],
};
