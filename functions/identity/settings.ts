import * as z from 'zod/mini';
import { json, text, texts } from '../platform/runtime/environment.ts';
import { ROLES } from './domain/roles.ts';

/** How long console sessions last. */
export const SESSION_TIMES = {
  SESSION_TIMES: json(z.object({ idleMilliseconds: z.number(), maxMilliseconds: z.number() })),
};
/** Whether sign-in links can be created and used. */
export const SIGN_IN_LINKS = { SIGN_IN_LINKS: z.enum(['true', 'false']) };
/** The name of the OpenID Connect provider; empty if there is none. */
export const PROVIDER_NAME = { SIGN_IN_NAME: z.string() };
/** The OpenID Connect provider. The issuer is empty if there is none, the secret's ARN for a public client. */
export const PROVIDER = {
  ...PROVIDER_NAME,
  SIGN_IN_ISSUER: z.string(),
  SIGN_IN_CLIENT_ID: z.string(),
  SIGN_IN_SECRET_ARN: z.string(),
  SIGN_IN: json(
    z.object({
      scopes: z.array(z.string()),
      parameters: texts,
      emailDomains: z.array(z.string()),
      accounts: z.array(
        z.object({ claim: z.optional(z.string()), value: text, account: text, role: z.enum(ROLES) }),
      ),
    }),
  ),
};
