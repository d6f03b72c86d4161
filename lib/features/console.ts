import type * as CreateLink from '../../functions/accounts/create-link.ts';
import type * as CreateSession from '../../functions/accounts/create-session.ts';
import type * as EndSession from '../../functions/accounts/end-session.ts';
import type * as GetSession from '../../functions/accounts/get-session.ts';
import type * as ListSessions from '../../functions/accounts/list-sessions.ts';
import type * as GetConsole from '../../functions/console/get-console.ts';
import { allOf, settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';
import { publicAddress } from '../resources/rest-api.ts';

const DAY_SECONDS = 24 * 60 * 60;
const PAGE_SECONDS = 28;

/** The web console: its page, sign-in links and sessions. */
export const addConsole = ({
  config,
  functions,
  api,
  keys,
  sessions,
  accounts,
  media,
  upstreams,
}: Resources): void => {
  const key = keys.find();
  const address = settings({ PUBLIC_BASE_URL: publicAddress(config) });
  const page = functions.create<typeof GetConsole>('get-console', {
    description: 'Serves the console',
    timeoutSeconds: PAGE_SECONDS,
    memoryMegabytes: 512,
    grants: media.host(),
  });
  const signIn = functions.endpoint<typeof CreateSession>(
    'create-session',
    'Signs in with a sign-in link',
    sessions.redeem(),
  );
  const current = functions.endpoint<typeof GetSession>(
    'get-session',
    'Returns the current session',
    allOf(
      key,
      address,
      accounts.readLimits(),
      upstreams.requestSize(),
      settings({
        VIDEO_RETENTION_SECONDS: String(config.videoRetentionDays * DAY_SECONDS),
        SAMPLE_GENERATOR: config.sampleGenerator ? 'true' : 'false',
      }),
    ),
  );
  const list = functions.endpoint<typeof ListSessions>(
    'list-sessions',
    'Lists sessions',
    allOf(key, sessions.list()),
  );
  const end = functions.endpoint<typeof EndSession>(
    'end-session',
    'Ends one session or all sessions',
    allOf(key, sessions.list(), sessions.end()),
  );
  const link = functions.endpoint<typeof CreateLink>(
    'create-link',
    'Creates a sign-in link',
    allOf(key, address, sessions.addLinks()),
  );

  const served = { streamSeconds: PAGE_SECONDS, throttle: 'public' } as const;
  api.route('GET', '/', page, served);
  api.route('GET', '/console', page, served);
  api.route('GET', '/console/{path+}', page, served);
  api.route('POST', '/v1/console/sessions', signIn, { throttle: 'public' });
  api.route('GET', '/v1/console/session', current);
  api.route('GET', '/v1/console/sessions', list);
  api.route('DELETE', '/v1/console/sessions/{session_id}', end);
  api.route('POST', '/v1/console/links', link);
};
