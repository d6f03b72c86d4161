import type * as GetCosts from '../../functions/billing/get-costs.ts';
import type * as GetImageUsage from '../../functions/billing/get-image-usage.ts';
import type * as GetSpendLimit from '../../functions/billing/get-spend-limit.ts';
import type * as GetVideoUsage from '../../functions/billing/get-video-usage.ts';
import type * as ListCharges from '../../functions/billing/list-charges.ts';
import type * as ChangeRole from '../../functions/identity/change-role.ts';
import type * as CreateInvitation from '../../functions/identity/create-invitation.ts';
import type * as CreateKey from '../../functions/identity/create-key.ts';
import type * as CreateServiceAccountKey from '../../functions/identity/create-service-account-key.ts';
import type * as DeleteInvitation from '../../functions/identity/delete-invitation.ts';
import type * as GetInvitation from '../../functions/identity/get-invitation.ts';
import type * as GetPerson from '../../functions/identity/get-person.ts';
import type * as ListAuditLogs from '../../functions/identity/list-audit-logs.ts';
import type * as ListInvitations from '../../functions/identity/list-invitations.ts';
import type * as ListKeys from '../../functions/identity/list-keys.ts';
import type * as ListPeople from '../../functions/identity/list-people.ts';
import type * as RemovePerson from '../../functions/identity/remove-person.ts';
import type * as RevokeKey from '../../functions/identity/revoke-key.ts';
import type * as UpdateKey from '../../functions/identity/update-key.ts';
import type * as ListRateLimits from '../../functions/models/list-rate-limits.ts';
import { allOf, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import { publicAddress } from '../resources/rest-api.ts';

const ORGANIZATION = '/v1/organization';
const PROJECT = `${ORGANIZATION}/projects/{project_id}`;
const USERS = `${PROJECT}/users`;
const INVITES = `${ORGANIZATION}/invites`;

/** API keys, usage, charges, limits, the audit log and the people of an account, for the console and for admin keys. */
export const addAccounts = (resources: Resources): void => {
  addKeys(resources);
  addUsage(resources);
  addAuditLog(resources);
  addMembers(resources);
  addInvitations(resources);
};

/** The only function that reads entries; the others can only add them. */
const addAuditLog = ({ functions, api, keys, audit }: Resources): void => {
  const list = functions.endpoint<typeof ListAuditLogs>(
    'list-audit-logs',
    'Lists the audit log',
    allOf(keys.find(), audit.list()),
  );
  api.route('GET', `${ORGANIZATION}/audit_logs`, list);
};

const addKeys = ({ config, functions, api, keys, members, accounts, audit }: Resources): void => {
  const key = keys.find();
  const prices = settings({ PRICES: JSON.stringify(config.prices) });
  const uses = accounts.readKeyUses();
  const add = allOf(key, keys.add(), members.holdKeys(), audit.add(), prices);
  const list = functions.endpoint<typeof ListKeys>(
    'list-keys',
    'Lists API keys',
    allOf(key, keys.list(), members.list(), uses),
  );
  const create = functions.endpoint<typeof CreateKey>('create-key', 'Creates an API key', add);
  const createByPath = functions.endpoint<typeof CreateServiceAccountKey>(
    'create-service-account-key',
    "Creates an API key at the SDK's path",
    add,
  );
  const revoke = functions.endpoint<typeof RevokeKey>(
    'revoke-key',
    'Revokes an API key',
    allOf(key, keys.list(), keys.change(), members.releaseKeys(), audit.add()),
  );

  const update = functions.endpoint<typeof UpdateKey>(
    'update-key',
    'Changes the name, expiry or budget of an API key',
    allOf(key, keys.list(), keys.change(), audit.add(), uses, prices),
  );

  api.route('GET', `${PROJECT}/api_keys`, list);
  api.route('POST', `${PROJECT}/api_keys`, create);
  api.route('POST', `${PROJECT}/api_keys/{key_id}`, update);
  api.route('DELETE', `${PROJECT}/api_keys/{key_id}`, revoke);
  api.route('POST', `${PROJECT}/service_accounts/{service_account_id}/api_keys`, createByPath);
};

/** A file with years of charges takes many reads. */
const CHARGES_SECONDS = 300;

const addUsage = ({
  functions,
  api,
  keys,
  members,
  usage,
  charges,
  accounts,
  upstreams,
}: Resources): void => {
  const key = keys.find();
  const days = allOf(key, usage.read());
  const limits = allOf(key, accounts.readLimits());
  const listCharges = functions.create<typeof ListCharges>('list-charges', {
    description: 'Lists charge records',
    timeoutSeconds: CHARGES_SECONDS,
    memoryMegabytes: 1024,
    grants: allOf(key, keys.list(), members.list(), charges.list()),
  });
  const costs = functions.endpoint<typeof GetCosts>('get-costs', 'Returns costs by day', days);
  const videos = functions.endpoint<typeof GetVideoUsage>(
    'get-video-usage',
    'Returns seconds of video by day',
    days,
  );
  const images = functions.endpoint<typeof GetImageUsage>('get-image-usage', 'Returns images by day', days);
  const spendLimit = functions.endpoint<typeof GetSpendLimit>(
    'get-spend-limit',
    'Returns the budget of an account',
    limits,
  );
  const rateLimits = functions.endpoint<typeof ListRateLimits>(
    'list-rate-limits',
    'Lists the rate limits of an account',
    allOf(limits, upstreams.offer()),
  );

  api.route('GET', `${ORGANIZATION}/costs`, costs);
  api.route('GET', `${ORGANIZATION}/usage/videos`, videos);
  api.route('GET', `${ORGANIZATION}/usage/images`, images);
  api.route('GET', `${ORGANIZATION}/charges`, listCharges, { streamSeconds: CHARGES_SECONDS });
  api.route('GET', `${PROJECT}/spend_limit`, spendLimit);
  api.route('GET', `${PROJECT}/rate_limits`, rateLimits);
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
