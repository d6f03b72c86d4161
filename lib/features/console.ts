import { CONSOLE_ENDPOINTS } from '../../functions/console/api/endpoints.ts';
import type * as GetConsole from '../../functions/console/get-console.ts';
import type * as GetSession from '../../functions/console/get-session.ts';
import { SESSION_ENDPOINTS } from '../../functions/identity/api/endpoints.ts';
import type * as CreateLink from '../../functions/identity/create-link.ts';
import type * as CreateSession from '../../functions/identity/create-session.ts';
import type * as EndSession from '../../functions/identity/end-session.ts';
import type * as ListSessions from '../../functions/identity/list-sessions.ts';
import type * as RenewSession from '../../functions/identity/renew-session.ts';
import type * as SignIn from '../../functions/identity/sign-in.ts';
import { allOf, ifIncluded, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';

const PAGE_SECONDS = 28;

/** The web console: its page, signing in, and sessions. */
export const addConsole = (resources: Resources): void => {
  addPage(resources);
  addSignIn(resources);
  addSessions(resources);
};

const addPage = ({ serve, media }: Resources): void => {
  serve<typeof GetConsole>(
    [
      'get-console',
      CONSOLE_ENDPOINTS.getRoot,
      CONSOLE_ENDPOINTS.getConsole,
      CONSOLE_ENDPOINTS.getConsolePage,
    ],
    media.host(),
    {
      memoryMegabytes: 512,
      streamSeconds: PAGE_SECONDS,
    },
  );
};

const addSignIn = (resources: Resources): void => {
  const { address, serve, keys, sessions, members, audit, signIn } = resources;
  const changePeople = allOf(ifIncluded(members?.find()), ifIncluded(members?.change()), audit.add());
  serve<typeof SignIn>(
    ['sign-in', SESSION_ENDPOINTS.getSignIn, SESSION_ENDPOINTS.startSignIn, SESSION_ENDPOINTS.completeSignIn],
    allOf(
      changePeople,
      ifIncluded(members?.listAccounts()),
      ifIncluded(members?.listInvitations()),
      sessions.open(),
      signIn.provider(),
      signIn.links(),
      address,
    ),
    // A HEAD request must not start or complete a sign-in.
    { isOnlyGet: true },
  );
  serve<typeof CreateSession>(
    'create-session',
    allOf(changePeople, sessions.redeem(), sessions.open(), signIn.times(), signIn.links()),
  );
  serve<typeof CreateLink>(
    'create-link',
    allOf(keys.find(), address, sessions.addLinks(), audit.add(), signIn.links()),
  );
};

const addSessions = (resources: Resources): void => {
  const { config, address, serve, keys, sessions, members, audit, signIn, upstreams } = resources;
  const key = keys.find();
  serve<typeof GetSession>(
    'get-session',
    allOf(
      key,
      ifIncluded(members?.listAccounts()),
      signIn.providerName(),
      resources.features,
      address,
      resources.videoRetention,
      resources.accounts.readLimits(),
      upstreams.requestSize(),
      upstreams.offer(),
      settings({
        STORES_IMAGES: config.storeImages ? 'true' : 'false',
        SAMPLE_GENERATOR: config.sampleGenerator ? 'true' : 'false',
      }),
    ),
  );
  serve<typeof RenewSession>(
    ['renew-session', SESSION_ENDPOINTS.renewSession, SESSION_ENDPOINTS.switchSession],
    allOf(
      key,
      sessions.renew(),
      ifIncluded(members?.listAccounts()),
      ifIncluded(members?.change()),
      audit.add(),
      signIn.provider(),
    ),
  );
  serve<typeof ListSessions>('list-sessions', allOf(key, sessions.list(), ifIncluded(members?.list())));
  serve<typeof EndSession>('end-session', allOf(key, sessions.list(), sessions.end(), audit.add()));
};
