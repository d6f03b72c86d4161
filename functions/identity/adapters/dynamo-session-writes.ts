import { type DynamoDBClient, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { encode } from '../../platform/aws/attributes.ts';
import { conditionHeld } from '../../platform/aws/contention.ts';
import { sealedText } from '../../platform/aws/secret.ts';
import type { MemberChange } from '../domain/membership.ts';
import type { NewSession, SessionWrites, StoredTokens } from '../domain/provider.ts';
import type { Session } from '../domain/session.ts';
import type { AuditTrail } from './audit-trail.ts';
import { memberWrites } from './dynamo-members.ts';
import { removalTime } from './dynamo-sessions.ts';

type Tables = { readonly sessions: string; readonly members: string };

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
  const writes = memberWrites(members);

  const toWrites = (change: MemberChange, now: number): TransactWriteItem[] => {
    if (change.kind === 'remove') return [writes.removeMember(change.member)];
    const { member, invitation } = change;
    return [
      change.kind === 'add' ? writes.addMember(member) : writes.putMember(member, change.before),
      ...(invitation === undefined ? [] : writes.acceptInvitation(invitation, now)),
    ];
  };

  const write: (
    items: readonly TransactWriteItem[],
    written: Parameters<SessionWrites['record']>[0],
  ) => Promise<boolean> = async (items, { changes = [], entries }) => {
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
    return {
      Put: {
        TableName: sessions,
        Item: encode({ ...stored, expires: removalTime(session.expiresAt) }),
        // An attempt to sign in opens one session, even if its callback is repeated.
        ConditionExpression: 'attribute_not_exists(id)',
      },
    };
  };

  const removeSession = ({ id, secretHash }: Session): TransactWriteItem => ({
    Delete: {
      TableName: sessions,
      Key: encode({ id }),
      ConditionExpression: 'secretHash = :hash',
      ExpressionAttributeValues: encode({ ':hash': secretHash }),
    },
  });

  return {
    open: async (opened, { ends, ...written }) =>
      write([await putSession(opened), ...(ends === undefined ? [] : [removeSession(ends)])], written),

    record: (written) => write([], written),

    renew: async (session, { secret, refreshToken, ...times }, written) => {
      const sealed = await seal(secret, refreshToken, [session.id, REFRESH]);
      const values = encode({
        ':expiresAt': times.expiresAt,
        ':renewAt': times.renewAt,
        ':checkUntil': times.checkUntil,
        ':refresh': sealed,
        ':removal': removalTime(times.expiresAt),
        ':hash': session.secretHash,
      });
      const Update = {
        TableName: sessions,
        Key: encode({ id: session.id }),
        UpdateExpression: [
          'SET expiresAt = :expiresAt, renewAt = :renewAt, expires = :removal',
          ...(times.checkUntil === undefined ? [] : ['checkUntil = :checkUntil']),
          ...(sealed === undefined ? [] : ['sealedRefreshToken = :refresh']),
        ]
          .join(', ')
          .concat(' REMOVE leasedUntil'),
        ConditionExpression: 'secretHash = :hash',
        ExpressionAttributeValues: values,
      };
      return write([{ Update }], written);
    },

    lease: ({ id, secretHash }, now, until) =>
      conditionHeld(() =>
        client.send(
          new UpdateItemCommand({
            TableName: sessions,
            Key: encode({ id }),
            UpdateExpression: 'SET leasedUntil = :until',
            ConditionExpression:
              'secretHash = :hash AND (attribute_not_exists(leasedUntil) OR leasedUntil < :now)',
            ExpressionAttributeValues: encode({ ':until': until, ':now': now, ':hash': secretHash }),
          }),
        ),
      ),

    end: (session, written) => write([removeSession(session)], written),

    tokens: openSealedTokens,
  };
};
