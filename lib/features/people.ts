import type * as ChangeRole from '../../functions/accounts/change-role.ts';
import type * as CreateInvitation from '../../functions/accounts/create-invitation.ts';
import type * as DeleteInvitation from '../../functions/accounts/delete-invitation.ts';
import type * as GetInvitation from '../../functions/accounts/get-invitation.ts';
import type * as GetPerson from '../../functions/accounts/get-person.ts';
import type * as ListInvitations from '../../functions/accounts/list-invitations.ts';
import type * as ListPeople from '../../functions/accounts/list-people.ts';
import type * as RemovePerson from '../../functions/accounts/remove-person.ts';
import { allOf, settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';
import { publicAddress } from '../resources/rest-api.ts';

const USERS = '/v1/organization/projects/{project_id}/users';
const INVITES = '/v1/organization/invites';

/** The people of an account and their roles, for the console and for admin keys. */
export const addPeople = (resources: Resources): void => {
  addMembers(resources);
  addInvitations(resources);
};

const addMembers = ({ functions, api, keys, members, audit }: Resources): void => {
  const key = keys.find();
  const manage = allOf(key, keys.change(), members.manage(), audit.add());
  const list = functions.endpoint<typeof ListPeople>(
    'list-people',
    'Lists people with their roles',
    allOf(key, members.list()),
  );
  const get = functions.endpoint<typeof GetPerson>('get-person', 'Returns a person', key);
  const change = functions.endpoint<typeof ChangeRole>('change-role', 'Changes the role of a person', manage);
  const remove = functions.endpoint<typeof RemovePerson>('remove-person', 'Removes a person', manage);

  api.route('GET', USERS, list);
  api.route('GET', `${USERS}/{user_id}`, get);
  api.route('POST', `${USERS}/{user_id}`, change);
  api.route('DELETE', `${USERS}/{user_id}`, remove);
};

const addInvitations = ({ config, functions, api, keys, members, audit }: Resources): void => {
  const key = keys.find();
  const read = allOf(key, members.list());
  const list = functions.endpoint<typeof ListInvitations>('list-invitations', 'Lists invitations', read);
  const get = functions.endpoint<typeof GetInvitation>('get-invitation', 'Returns an invitation', read);
  const create = functions.endpoint<typeof CreateInvitation>(
    'create-invitation',
    'Invites a person',
    allOf(key, members.invite(), audit.add(), settings({ PUBLIC_BASE_URL: publicAddress(config) })),
  );
  const remove = functions.endpoint<typeof DeleteInvitation>(
    'delete-invitation',
    'Deletes an invitation',
    allOf(key, members.deleteInvitations(), audit.add()),
  );

  api.route('GET', INVITES, list);
  api.route('POST', INVITES, create);
  api.route('GET', `${INVITES}/{invite_id}`, get);
  api.route('DELETE', `${INVITES}/{invite_id}`, remove);
};
