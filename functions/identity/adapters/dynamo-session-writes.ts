import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { encode } from '../../platform/aws/attributes.ts';
import { sealedText } from '../../platform/aws/secret.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import { IS_NEW, putWrite, removeWrite, updateWrite } from '../../platform/aws/table-writes.ts';
import type { MemberChange } from '../domain/membership.ts';
import type { NewSession, SessionWrites, StoredTokens, Written } from '../domain/provider.ts';
import type { Session } from '../domain/session.ts';
import type { AuditTrail } from './audit-trail.ts';
import { memberWrites, requirePeople } from './dynamo-members.ts';
import { removalTime } from './dynamo-sessions.ts';

type Tables = { readonly sessions: string; readonly members: string | undefined };

/** Only the browser has the secret: the table alone reveals no token. */
const sealer = (secret: string) => sealedText(async () => secret);
const REFRESH = 'refresh token';
const SIGN_OUT = 'sign-out address';

const seal = async (
  secret: string,
  text: string | undefined,
  place: readonly string[],
): Promise<string | undefined> => (text === undefined ? undefined : sealer(secret).seal(text, place));

/** Throws if the secret is not that of the session's cookie. */
export const openSealedTokens = async (
  { id, sealedRefreshToken, sealedSignOutUrl }: Session,
  secret: string,
): Promise<StoredTokens> => {
  const open = async (sealed: string | undefined, use: string): Promise<string | undefined> =>
    sealed === undefined ? undefined : sealer(secret).open(sealed, [id, use]);
  return {
    refreshToken: await open(sealedRefreshToken, REFRESH),
    signOutUrl: await open(sealedSignOutUrl, SIGN_OUT),
  };
};

export const dynamoSessionWrites = (
  client: DynamoDBClient,
  { sessions, members }: Tables,
  audit: Pick<AuditTrail, 'write'>,
): SessionWrites => {
  const toWrites = (change: MemberChange, now: number): TransactWriteItem[] => {
    const writes = memberWrites(requirePeople(members));
    if (change.kind === 'remove') return [writes.removeMember(change.member)];
    const { member, invitation } = change;
    return [
      change.kind === 'add' ? writes.addMember(member) : writes.putMember(member, change.before),
      ...(invitation === undefined ? [] : writes.acceptInvitation(invitation, now)),
    ];
  };

  const write = async (items: readonly TransactWriteItem[], written: Written): Promise<boolean> => {
    const { changes = [], entries } = written;
    const now = entries[0]?.at ?? Date.now();
    const all = [...items, ...changes.flatMap((change) => toWrites(change, now))];
    if (all.length === 0 && entries.length === 0) return true;
    return (await audit.write(all, entries)).length === 0;
  };

  const putSession = async ({ session, secret, tokens }: NewSession): Promise<TransactWriteItem> => {
    const stored: Session = {
      ...session,
      sealedRefreshToken: await seal(secret, tokens.refreshToken, [session.id, REFRESH]),
      sealedSignOutUrl: await seal(secret, tokens.signOutUrl, [session.id, SIGN_OUT]),
    };
    // An attempt to sign in opens one session, even if its callback is repeated.
    return putWrite(sessions, encode({ ...stored, expires: removalTime(session.expiresAt) }), IS_NEW);
  };

  const isUnchanged = ({ secretHash }: Session) => ({
    when: 'secretHash = :hash',
    values: { hash: secretHash },
  });

  const removeSession = (session: Session): TransactWriteItem =>
    removeWrite(sessions, { id: session.id }, isUnchanged(session));

  return {
    open: async (opened, { ends, ...written }) =>
      write([await putSession(opened), ...(ends === undefined ? [] : [removeSession(ends)])], written),

    record: (written) => write([], written),

    renew: async (session, { secret, refreshToken, ...times }, written) => {
      const sealed = await seal(secret, refreshToken, [session.id, REFRESH]);
      const { expiresAt, renewAt, checkUntil } = times;
      const change = {
        expiresAt,
        renewAt,
        expires: removalTime(expiresAt),
        ...(checkUntil !== undefined && { checkUntil }),
        ...(sealed !== undefined && { sealedRefreshToken: sealed }),
        leasedUntil: undefined,
      };
      return write(
        [updateWrite(sessions, { id: session.id }, { set: change, ...isUnchanged(session) })],
        written,
      );
    },

    lease: ({ id, secretHash }, now, until) =>
      dynamoTable(client, sessions).update(
        { id },
        {
          set: { leasedUntil: until },
          when: 'secretHash = :hash AND (attribute_not_exists(leasedUntil) OR leasedUntil < :now)',
          values: { hash: secretHash, now },
        },
      ),

    end: (session, written) => write([removeSession(session)], written),

    tokens: openSealedTokens,
  };
};
