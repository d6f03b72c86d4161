import * as z from 'zod/mini';
import { deletion, listSchema } from '../../platform/api/pages.ts';
import { toSeconds, toSecondsOrNull } from '../../platform/api/parameters.ts';
import { refuse } from '../../platform/body/parse.ts';
import {
  choice,
  forbidden,
  limitedText,
  map,
  openFields,
  optional,
  timestamp,
} from '../../platform/body/schema.ts';
import { KEY_CHOICES } from '../domain/people.ts';
import {
  type Invitation,
  isEmail,
  isPending,
  MAX_EMAIL_CHARACTERS,
  MEMBER_SOURCES,
  type Member,
} from '../domain/person.ts';
import { ROLES, type Role } from '../domain/roles.ts';

/** People and invitations in the format of OpenAI's administration API, where an account is a project. */

/** The roles of OpenAI's SDK, whose types accept no others. */
const SDK_ROLES: Readonly<Record<string, Role>> = { owner: 'admin', reader: 'viewer' };

const givenRole = () =>
  map(
    choice([...ROLES, 'owner', 'reader']),
    (given): Role => ROLES.find((role) => role === given) ?? SDK_ROLES[given] ?? 'viewer',
  );

const ROLE_NAMES = `${ROLES.slice(0, -1).join(', ')} or ${ROLES.at(-1)}. The SDK’s owner means admin, and its reader means viewer.`;

export const roleChangeSchema = openFields({
  role: givenRole().check(z.describe(`The new role: ${ROLE_NAMES}`)),
  keys: optional(
    choice(KEY_CHOICES),
    'The active keys of a person who becomes a viewer: revoke them, or transfer them to the account. Required if there are any.',
  ),
});

const email = limitedText(MAX_EMAIL_CHARACTERS).check(
  z.refine(isEmail, { error: 'must be an e-mail address, such as ada@example.com.' }),
  z.meta({ examples: ['ada@example.com'] }),
);

export const newInvitationSchema = openFields({
  email: optional(
    z.nullable(email),
    'Only the owner of this address can accept the invitation with the sign-in provider. Without it, whoever opens the link first.',
  ),
  role: givenRole().check(z.describe(`The role of the person: ${ROLE_NAMES}`)),
  projects: forbidden(
    (context) => refuse(context, 'is not supported: invitations are always for your own account.'),
    'Not supported.',
  ),
});

const role = z.enum(ROLES);

export const personSchema = z
  .object({
    id: z.string().check(z.describe('`user_` and 32 hexadecimal digits.')),
    object: z.literal('organization.project.user'),
    name: z.string(),
    email: z.string().check(z.describe('Empty if it is unknown.')),
    role,
    added_at: timestamp('When the person was added to the account.'),
    source: z
      .enum(MEMBER_SOURCES)
      .check(z.describe('Where the role comes from; a role from the provider is changed at the provider.')),
    last_sign_in_at: z.nullable(timestamp('When the person signed in last.')),
  })
  .check(z.describe('A person of the account.'));

export const personListSchema = listSchema(
  personSchema,
  'A page of the people of the account, oldest first.',
);

export const { schema: removedPersonSchema, answer: removedPerson } = deletion(
  'organization.project.user.deleted',
);

const invitationFields = {
  id: z.string().check(z.describe('`invite_` and 32 hexadecimal digits.')),
  object: z.literal('organization.invite'),
  email: z.nullable(z.string()).check(z.describe('Null if whoever opens the link first is invited.')),
  role,
  status: z.enum(['pending', 'expired']),
  created_at: timestamp('When it was created.'),
  invited_at: timestamp('The same.'),
  expires_at: timestamp('When it expires, 7 days later.'),
  accepted_at: z.null().check(z.describe('An accepted invitation is gone; its person is in the account.')),
  projects: z.array(z.object({ id: z.string(), role })).check(z.describe('The account.')),
};

export const invitationSchema = z
  .object(invitationFields)
  .check(z.describe('An invitation to the account that nobody has accepted yet.'));

export const createdInvitationSchema = z
  .object({
    ...invitationFields,
    url: z.string().check(
      z.meta({
        format: 'uri',
        description: 'The link that accepts the invitation, which is shown only once. No e-mail is sent.',
      }),
    ),
  })
  .check(z.describe('A new invitation, with its link.'));

export const invitationListSchema = listSchema(invitationSchema, 'A page of the invitations, newest first.');

export const { schema: deletedInvitationSchema, answer: deletedInvitation } = deletion(
  'organization.invite.deleted',
);

export type PersonObject = z.infer<typeof personSchema>;
export type PersonList = z.infer<typeof personListSchema>;
export type InvitationObject = z.infer<typeof invitationSchema>;
export type CreatedInvitation = z.infer<typeof createdInvitationSchema>;
export type InvitationList = z.infer<typeof invitationListSchema>;

export const personObject = (member: Member): PersonObject => ({
  id: member.id,
  object: 'organization.project.user',
  name: member.name,
  email: member.email,
  role: member.role,
  added_at: toSeconds(member.addedAt),
  source: member.source,
  last_sign_in_at: toSecondsOrNull(member.lastSignInAt),
});

export const invitationObject = (invitation: Invitation, now: number): InvitationObject => ({
  id: invitation.id,
  object: 'organization.invite',
  email: invitation.email === '' ? null : invitation.email,
  role: invitation.role,
  status: isPending(invitation, now) ? 'pending' : 'expired',
  created_at: toSeconds(invitation.createdAt),
  invited_at: toSeconds(invitation.createdAt),
  expires_at: toSeconds(invitation.expiresAt),
  accepted_at: null,
  projects: [{ id: invitation.account, role: invitation.role }],
});

/** The token is in the fragment, which browsers do not send, so no log contains it. */
export const createdInvitation = (
  baseUrl: string,
  token: string,
  invitation: Invitation,
): CreatedInvitation => ({
  ...invitationObject(invitation, invitation.createdAt),
  url: `${baseUrl}/console/sign-in#${token}`,
});
