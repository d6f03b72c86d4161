import type { SessionObject, SignInObject } from '../../functions/identity/api/session-object.ts';
import { PREFIX } from '../environment.ts';
import { createQuery } from './query.ts';
import { getJson, queryString, sendJson } from './request.ts';

/** How people sign in to this service; apart from session.ts, because the first page does not need it. */
export const signInOptions = createQuery<[], SignInObject>((signal) =>
  getJson('/v1/console/sign_in', signal),
);

export const redeemToken = (token: string): Promise<SessionObject> =>
  sendJson('POST', '/v1/console/sessions', { token });

/** Leads to the provider, and then back to a page of the console. */
export const providerUrl = (
  returnPath: string,
  invitation: string | undefined,
  choosesIdentity: boolean,
): string =>
  `${PREFIX}/v1/console/sign_in/start${queryString({
    return_to: `/console${returnPath}`,
    invitation,
    choose_identity: choosesIdentity ? 'true' : undefined,
  })}`;
