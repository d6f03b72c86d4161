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
import { allOf, ifIncluded, settings } from '../lambda/service-function.ts';
import type { Resources } from '../resources/resources.ts';
import type { MemberTable } from '../resources/tables.ts';

/** API keys, usage, charges, limits, the audit log and the people of an account, for the console and for admin keys. */
export const addAccounts = (resources: Resources): void => {
  addKeys(resources);
  addUsage(resources);
  addAuditLog(resources);
  const { members } = resources;
  if (members === undefined) return;
  addMembers(resources, members);
  addInvitations(resources, members);
};

/** The only function that reads entries; the others can only add them. */
const addAuditLog = ({ serve, keys, audit }: Resources): void => {
  serve<typeof ListAuditLogs>('list-audit-logs', allOf(keys.find(), audit.list()));
};

const addKeys = ({ config, serve, keys, members, accounts, audit }: Resources): void => {
  const key = keys.find();
  const prices = settings({ PRICES: JSON.stringify(config.prices) });
  const uses = accounts.readKeyUses();
  const add = allOf(key, keys.add(), ifIncluded(members?.holdKeys()), audit.add(), prices);
  serve<typeof ListKeys>('list-keys', allOf(key, keys.list(), ifIncluded(members?.list()), uses));
  serve<typeof CreateKey>('create-key', add);
  serve<typeof CreateServiceAccountKey>('create-service-account-key', add);
  serve<typeof RevokeKey>(
    'revoke-key',
    allOf(key, keys.list(), keys.change(), ifIncluded(members?.releaseKeys()), audit.add()),
  );

  serve<typeof UpdateKey>('update-key', allOf(key, keys.list(), keys.change(), audit.add(), uses, prices));
};

/** A file with years of charges takes many reads. */
const CHARGES_SECONDS = 300;

const addUsage = ({ serve, keys, members, usage, charges, accounts, upstreams }: Resources): void => {
  const key = keys.find();
  const days = allOf(key, usage.read());
  const limits = allOf(key, accounts.readLimits());
  serve<typeof ListCharges>(
    'list-charges',
    allOf(key, keys.list(), ifIncluded(members?.list()), charges.list()),
    { streamSeconds: CHARGES_SECONDS },
  );
  serve<typeof GetCosts>('get-costs', days);
  serve<typeof GetVideoUsage>('get-video-usage', days);
  serve<typeof GetImageUsage>('get-image-usage', days);
  serve<typeof GetSpendLimit>('get-spend-limit', limits);
  serve<typeof ListRateLimits>('list-rate-limits', allOf(limits, upstreams.offer()));
};

const addMembers = ({ serve, keys, audit }: Resources, members: MemberTable): void => {
  const key = keys.find();
  const manage = allOf(key, keys.change(), members.manage(), audit.add());
  serve<typeof ListPeople>('list-people', allOf(key, members.list()));
  serve<typeof GetPerson>('get-person', allOf(key, members.find()));
  serve<typeof ChangeRole>('change-role', manage);
  serve<typeof RemovePerson>('remove-person', manage);
};

const addInvitations = ({ address, serve, keys, audit }: Resources, members: MemberTable): void => {
  const key = keys.find();
  const read = allOf(key, members.list());
  serve<typeof ListInvitations>('list-invitations', read);
  serve<typeof GetInvitation>('get-invitation', read);
  serve<typeof CreateInvitation>('create-invitation', allOf(key, members.invite(), audit.add(), address));
  serve<typeof DeleteInvitation>('delete-invitation', allOf(key, members.deleteInvitations(), audit.add()));
};
