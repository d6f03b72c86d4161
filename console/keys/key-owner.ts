import type { KeyObject } from '../../functions/accounts/api/key-object.ts';

type Owner = {
  readonly type: string;
  readonly user?: { readonly id: string; readonly name: string; readonly email: string };
};

/** The person to whom a key belongs; undefined if it belongs to the account. */
export const keyOwner = (key: Pick<KeyObject, 'owner'>): Owner['user'] => {
  const owner: Owner = key.owner;
  return owner.user;
};

export const isOwnedBy = (key: Pick<KeyObject, 'owner'>, personId: string | undefined): boolean =>
  personId !== undefined && keyOwner(key)?.id === personId;
