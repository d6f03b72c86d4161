import * as z from 'zod/mini';
import { deletion, listObject, toListSchema } from '../../platform/api/pages.ts';
import { toSeconds } from '../../platform/api/parameters.ts';
import { openFields, text, timestamp } from '../../platform/body/schema.ts';
import type { Member } from '../domain/person.ts';
import { ROLES } from '../domain/roles.ts';
import type { Session, SignInLink } from '../domain/session.ts';

export const signInSchema = openFields({
  token: text().check(
    z.describe('The part of a sign-in link or of an invitation after the #. It can be used once.'),
  ),
});

export const switchSchema = openFields({
  project_id: text().check(z.describe('Another account of the signed-in person.')),
});

export const newLinkSchema = openFields({
  user_id: z.optional(
    text().check(z.describe('The person whom the link signs in; without it, whoever opens the link.')),
  ),
});

export const signInOptionsSchema = z
  .object({
    object: z.literal('console.sign_in'),
    provider: z
      .nullable(z.object({ issuer: z.string(), name: z.string() }))
      .check(z.describe('The OpenID Connect provider. Null if there is none.')),
    links: z.boolean().check(z.describe('Whether sign-in links can be used.')),
  })
  .check(z.describe('How people can sign in.'));

export const sessionFields = {
  id: z.string().check(z.regex(/^sess_[0-9a-f]{32}$/), z.describe('Charges also name it as the key id.')),
  object: z.literal('console.session'),
  project_id: z.string().check(z.describe('The account.')),
  created_at: timestamp('When the session was opened.'),
  expires_at: timestamp('When the session ends unless it is renewed.'),
  renew_at: timestamp('When to renew the session. Before this time a renewal changes nothing.'),
  ends_at: timestamp('When the session ends in any case.'),
};

export const userSchema = z
  .nullable(z.object({ id: z.string(), name: z.string(), email: z.string() }))
  .check(z.describe('The signed-in person. Null for a sign-in link without a person.'));
export const roleSchema = z.enum(ROLES);

export const sessionSchema = z.object(sessionFields).check(z.describe('A console session.'));

export const sessionListSchema = toListSchema(
  z.object({ ...sessionFields, role: roleSchema, user: userSchema, current: z.boolean() }),
  z.string(),
  z.literal(false),
).check(z.describe('The open sessions, newest first: all of the account for admins, their own for others.'));

const ended = deletion('console.session.deleted');
export const endedSessionSchema = z.extend(ended.schema, {
  sign_out_url: z
    .nullable(z.string())
    .check(z.describe('Where the browser signs out of the provider. Null if there is nothing to do.')),
});

export const linkSchema = z
  .object({
    object: z.literal('console.link'),
    url: z.string().check(z.meta({ format: 'uri', description: 'Signs in the first person who opens it.' })),
    expires_at: timestamp('When it expires.'),
  })
  .check(z.describe('A sign-in link.'));

export type SessionObject = z.infer<typeof sessionSchema>;
export type SessionList = z.infer<typeof sessionListSchema>;
export type SignInObject = z.infer<typeof signInOptionsSchema>;
export type LinkObject = z.infer<typeof linkSchema>;

export type SessionTimesAndPlace = Pick<
  Session,
  'id' | 'account' | 'createdAt' | 'expiresAt' | 'renewAt' | 'endsAt'
>;

export const sessionObject = (session: SessionTimesAndPlace): SessionObject => ({
  id: session.id,
  object: 'console.session',
  project_id: session.account,
  created_at: toSeconds(session.createdAt),
  expires_at: toSeconds(session.expiresAt),
  renew_at: toSeconds(session.renewAt),
  ends_at: toSeconds(session.endsAt),
});

type SignInOptions = {
  readonly provider: { readonly issuer: string; readonly name: string } | undefined;
  readonly links: boolean;
};

export const signInObject = ({ provider, links }: SignInOptions): SignInObject => ({
  object: 'console.sign_in',
  provider: provider ?? null,
  links,
});

export const userObject = (member: Member | undefined) =>
  member === undefined ? null : { id: member.id, name: member.name, email: member.email };

export const sessionList = (
  sessions: readonly Session[],
  members: readonly Member[],
  currentId: string,
): SessionList => {
  const data = sessions.map((session) => {
    const member = members.find(({ id }) => id === session.personId);
    return {
      ...sessionObject(session),
      role: member?.role ?? session.role,
      user: userObject(member),
      current: session.id === currentId,
    };
  });
  return listObject(data, false);
};

export const endedSession = (
  id: string,
  signOutUrl: string | undefined,
): z.infer<typeof endedSessionSchema> => ({
  ...ended.answer(id),
  sign_out_url: signOutUrl ?? null,
});

/** The token is in the fragment, which browsers do not send, so no log contains it. */
export const linkObject = (
  baseUrl: string,
  token: string,
  { linkUntil }: Pick<SignInLink, 'linkUntil'>,
): LinkObject => ({
  object: 'console.link',
  url: `${baseUrl}/console/sign-in#${token}`,
  expires_at: toSeconds(linkUntil),
});
