import type * as GetConsole from '../../functions/console/get-console.ts';
import type * as GetSession from '../../functions/console/get-session.ts';
import type * as CreateLink from '../../functions/identity/create-link.ts';
import type * as CreateSession from '../../functions/identity/create-session.ts';
import type * as EndSession from '../../functions/identity/end-session.ts';
import type * as ListSessions from '../../functions/identity/list-sessions.ts';
import type * as RenewSession from '../../functions/identity/renew-session.ts';
import type * as SignIn from '../../functions/identity/sign-in.ts';
import { allOf, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import { publicAddress } from '../resources/rest-api.ts';

const DAY_SECONDS = 24 * 60 * 60;
const PAGE_SECONDS = 28;

/** The web console: its page, signing in, and sessions. */
export const addConsole = (resources: Resources): void => {
  addPage(resources);
  addSignIn(resources);
  addSessions(resources);
};

const addPage = ({ functions, api, media }: Resources): void => {
  const page = functions.create<typeof GetConsole>('get-console', {
    description: 'Serves the console',
    timeoutSeconds: PAGE_SECONDS,
    memoryMegabytes: 512,
    grants: media.host(),
  });
  const served = { streamSeconds: PAGE_SECONDS, throttle: 'public' } as const;
  api.route('GET', '/', page, served);
  api.route('GET', '/console', page, served);
  api.route('GET', '/console/{path+}', page, served);
};

const addSignIn = ({ config, functions, api, keys, sessions, members, audit, signIn }: Resources): void => {
  const address = settings({ PUBLIC_BASE_URL: publicAddress(config) });
  const changePeople = allOf(members.find(), members.change(), audit.add());
  const withProvider = functions.endpoint<typeof SignIn>(
    'sign-in',
    'Signs in with the OpenID Connect provider',
    allOf(
      changePeople,
      members.listAccounts(),
      members.listInvitations(),
      sessions.open(),
      signIn.provider(),
      signIn.links(),
      address,
    ),
  );
  const withLink = functions.endpoint<typeof CreateSession>(
    'create-session',
    'Signs in with a sign-in link or an invitation',
    allOf(changePeople, sessions.redeem(), sessions.open(), signIn.times(), signIn.links()),
  );
  const link = functions.endpoint<typeof CreateLink>(
    'create-link',
    'Creates a sign-in link',
    allOf(keys.find(), address, sessions.addLinks(), audit.add(), signIn.links()),
  );

  // A HEAD request must not start or complete a sign-in.
  const isPublic = { throttle: 'public', isOnlyGet: true } as const;
  api.route('GET', '/v1/console/sign_in', withProvider, isPublic);
  api.route('GET', '/v1/console/sign_in/start', withProvider, isPublic);
  api.route('GET', '/v1/console/sign_in/callback', withProvider, isPublic);
  api.route('POST', '/v1/console/sessions', withLink, { throttle: 'public' });
  api.route('POST', '/v1/console/links', link);
};

const addSessions = ({
  config,
  functions,
  api,
  keys,
  sessions,
  members,
  audit,
  signIn,
  accounts,
  upstreams,
}: Resources): void => {
  const key = keys.find();
  const current = functions.endpoint<typeof GetSession>(
    'get-session',
    'Returns the current session',
    allOf(
      key,
      members.listAccounts(),
      signIn.providerName(),
      settings({ PUBLIC_BASE_URL: publicAddress(config) }),
      accounts.readLimits(),
      upstreams.requestSize(),
      upstreams.offer(),
      settings({
        VIDEO_RETENTION_SECONDS: String(config.videoRetentionDays * DAY_SECONDS),
        SAMPLE_GENERATOR: config.sampleGenerator ? 'true' : 'false',
      }),
    ),
  );
  const renew = functions.endpoint<typeof RenewSession>(
    'renew-session',
    'Renews a session, or opens one in another account',
    allOf(key, sessions.renew(), members.listAccounts(), members.change(), audit.add(), signIn.provider()),
  );
  const list = functions.endpoint<typeof ListSessions>(
    'list-sessions',
    'Lists sessions',
    allOf(key, sessions.list(), members.list()),
  );
  const end = functions.endpoint<typeof EndSession>(
    'end-session',
    'Ends one session or all sessions',
    allOf(key, sessions.list(), sessions.end(), audit.add()),
  );

  api.route('GET', '/v1/console/session', current);
  api.route('POST', '/v1/console/session/renew', renew);
  api.route('POST', '/v1/console/session/switch', renew);
  api.route('GET', '/v1/console/sessions', list);
  api.route('DELETE', '/v1/console/sessions/{session_id}', end);
};
