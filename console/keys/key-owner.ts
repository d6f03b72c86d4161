import type { KeyObject } from '../../functions/accounts/api/key-object.ts';

type Owned = Pick<KeyObject, 'owner'>;

/** The person to whom a key belongs; undefined if it belongs to the account. */
export const keyOwner = ({ owner }: Owned) => (owner.type === 'user' ? owner.user : undefined);

export const isOwnedBy = (key: Owned, personId: string | undefined): boolean =>
  personId !== undefined && keyOwner(key)?.id === personId;
