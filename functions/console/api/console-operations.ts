import { IMAGE_SIZES } from '../../catalogue/domain/image-sizes.ts';
import {
  ASPECT_RATIOS,
  DEFAULT_REQUEST_MEGABYTES,
  DURATIONS,
  maxImageBytes,
  RESOLUTIONS,
  VIDEO_MODES,
} from '../../catalogue/domain/models.ts';
import { toOperations } from '../../identity/api/declare-endpoint.ts';
import { EXAMPLE_MEMBER, EXAMPLE_SESSION, EXAMPLE_URL } from '../../identity/api/session-operations.ts';
import { FEATURES } from '../../platform/domain/features.ts';
import { type ApiPart, jsonResponse, response } from '../../platform/openapi/operation.ts';
import { pathParameter } from '../../platform/openapi/parameters.ts';
import { currentSessionObject, currentSessionSchema } from './current-session.ts';
import { CONSOLE_ENDPOINTS } from './endpoints.ts';

const EXAMPLE = {
  session: currentSessionObject(
    EXAMPLE_SESSION,
    {
      role: EXAMPLE_MEMBER.role,
      member: EXAMPLE_MEMBER,
      memberships: [EXAMPLE_MEMBER],
      providerName: 'Example',
    },
    {
      baseUrl: EXAMPLE_URL,
      prices: { currency: 'USD', videoSecond: { 'video-3.1-generate-preview': '0.40' }, image: {} },
      offers: {
        video: {
          'video-3.1-generate-preview': [
            {
              modes: VIDEO_MODES,
              seconds: DURATIONS,
              resolutions: RESOLUTIONS,
              aspectRatios: ASPECT_RATIOS,
              seed: true,
              negativePrompt: true,
            },
          ],
        },
        image: true,
        imageSizes: IMAGE_SIZES,
      },
      features: FEATURES,
      videoRetentionDays: 7,
      storesImages: true,
      imageBytes: maxImageBytes(DEFAULT_REQUEST_MEGABYTES),
      sampleGenerator: false,
      limits: { monthlyBudget: '100', videosAtOnce: undefined, createsPerMinute: 60 },
      budget: { used: '80.40', limit: '100', threshold: 80 },
    },
  ),
};

const PAGE = { 200: response('HTML.', { 'text/html': { schema: { type: 'string' } } }) };

const OPERATIONS = toOperations(CONSOLE_ENDPOINTS, {
  getRoot: {
    description: 'A browser that opens the base URL gets the console.',
    responses: { 302: { description: 'The URL of the console.' } },
  },
  getConsole: {
    description: 'The page of the console. It signs in with a sign-in link.',
    responses: PAGE,
  },
  getConsolePage: {
    description: 'Every page of the console is the same HTML; its scripts and styles are files.',
    responses: PAGE,
    errors: ['not_found'],
  },
  getSession: {
    description:
      'The session of the request, with what the console needs to know about the person, the service and the account.',
    responses: jsonResponse('The session.', 'CurrentSession', EXAMPLE),
  },
});

export const CONSOLE_API: ApiPart = {
  schemas: { CurrentSession: currentSessionSchema },
  parameters: {
    ConsolePath: pathParameter('path', 'A page of the console, or one of its files.'),
  },
  operations: OPERATIONS,
};
