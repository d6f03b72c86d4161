import { pageObject } from '../../platform/api/pages.ts';
import { type ApiPart, jsonContent, jsonResponse } from '../../platform/openapi/operation.ts';
import { afterParameter, pathParameter, queryParameter } from '../../platform/openapi/parameters.ts';
import { KEY_CHOICES } from '../domain/people.ts';
import { generateInvitation, type Member, toPersonId } from '../domain/person.ts';
import { toOperations } from './declare-endpoint.ts';
import { PEOPLE_ENDPOINTS } from './endpoints.ts';
import * as objects from './people-object.ts';

const SCHEMAS = {
  Person: objects.personSchema,
  PersonList: objects.personListSchema,
  RoleChange: objects.roleChangeSchema,
  RemovedPerson: objects.removedPersonSchema,
  NewInvitation: objects.newInvitationSchema,
  Invitation: objects.invitationSchema,
  CreatedInvitation: objects.createdInvitationSchema,
  InvitationList: objects.invitationListSchema,
  DeletedInvitation: objects.deletedInvitationSchema,
};

const PARAMETERS = {
  UserId: pathParameter('user_id', 'Identifier of the person.', /^user_[0-9a-f]{32}$/),
  AfterPerson: afterParameter('people'),
  KeyChoice: queryParameter(
    'keys',
    'The active keys of the person: revoke them, or transfer them to the account. Required if there are any.',
    KEY_CHOICES,
  ),
  InviteId: pathParameter('invite_id', 'Identifier of the invitation.', /^invite_[0-9a-f]{32}$/),
  AfterInvitation: afterParameter('invitations'),
};

const CREATED_AT = Date.UTC(2026, 0, 15, 9, 30);
const identity = { issuer: 'https://accounts.example.com', subject: '248289761001' };
const person: Member = {
  ...identity,
  account: 'example',
  id: toPersonId(identity),
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'member',
  source: 'invitation',
  addedAt: CREATED_AT,
  lastSignInAt: CREATED_AT,
};
const TOKEN = `mgi_${'0'.repeat(43)}.example`;
const invitation = {
  ...generateInvitation(
    { account: 'example', email: 'ada@example.com', role: 'member', invitedBy: undefined },
    CREATED_AT,
  ).stored,
  id: `invite_${'0'.repeat(32)}`,
};

const EXAMPLES = {
  person: { person: objects.personObject(person) },
  people: { page: pageObject({ items: [person], hasMore: false }, objects.personObject) },
  roleChange: { viewer: { role: 'viewer', keys: 'revoke' } },
  removed: { removed: objects.removedPerson(person.id) },
  newInvitation: {
    address: { email: 'ada@example.com', role: 'member' },
    link: { role: 'viewer' },
  },
  invitation: { invitation: objects.invitationObject(invitation, CREATED_AT) },
  created: { invitation: objects.createdInvitation('https://api.example.com', TOKEN, invitation) },
  invitations: {
    page: pageObject({ items: [invitation], hasMore: false }, (each) =>
      objects.invitationObject(each, CREATED_AT),
    ),
  },
  deleted: { deleted: objects.deletedInvitation(invitation.id) },
} as const;

const OPERATIONS = toOperations(PEOPLE_ENDPOINTS, {
  listPeople: {
    description: 'The people of the account with their roles, in the order in which they were added.',
    parameters: ['Limit', 'AfterPerson'],
    responses: jsonResponse('A page of people.', 'PersonList', EXAMPLES.people),
  },
  getPerson: {
    description: 'A person of the account.',
    responses: jsonResponse('The person.', 'Person', EXAMPLES.person),
  },
  changeRole: {
    description:
      'Takes effect at once for everything that creates keys, links or people, and within 60 seconds elsewhere. Nobody can change their own role.',
    body: jsonContent('RoleChange', EXAMPLES.roleChange),
    responses: jsonResponse('The changed person.', 'Person', EXAMPLES.person),
    errors: ['not_found', 'concurrent_update'],
  },
  removePerson: {
    description:
      'Ends the access of the person to the account within 60 seconds. Videos, images and charges stay. Nobody can remove themselves.',
    parameters: ['KeyChoice'],
    responses: jsonResponse('The person is removed.', 'RemovedPerson', EXAMPLES.removed),
    errors: ['not_found', 'concurrent_update'],
  },
  listInvitations: {
    description: 'The invitations that nobody has accepted yet, newest first, without their links.',
    parameters: ['Limit', 'AfterInvitation'],
    responses: jsonResponse('A page of invitations.', 'InvitationList', EXAMPLES.invitations),
  },
  createInvitation: {
    description:
      'Creates a link that can be used once, within 7 days; send it to the person. A new invitation of an address replaces an earlier one.',
    body: jsonContent('NewInvitation', EXAMPLES.newInvitation),
    responses: jsonResponse('The invitation.', 'CreatedInvitation', EXAMPLES.created),
  },
  getInvitation: {
    description: 'An invitation, without its link.',
    responses: jsonResponse('The invitation.', 'Invitation', EXAMPLES.invitation),
  },
  deleteInvitation: {
    description: 'Its link stops working at once.',
    responses: jsonResponse('The invitation is deleted.', 'DeletedInvitation', EXAMPLES.deleted),
  },
});

export const PEOPLE_API: ApiPart = { operations: OPERATIONS, schemas: SCHEMAS, parameters: PARAMETERS };
