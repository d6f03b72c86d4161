import type { LinkObject, SessionList } from '../../functions/identity/api/session-object.ts';
import { useMutation, useQuery } from '../api/hooks.ts';
import { createQuery } from '../api/query.ts';
import { getJson, sendJson } from '../api/request.ts';
import { endSession } from '../api/session.ts';
import { signInOptions } from '../api/sign-in.ts';
import { updateEntry } from '../api/update-entry.ts';
import { Button, SmallButton } from '../parts/buttons.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { ActionError, ErrorProblem } from '../parts/feedback.tsx';
import { formatTime } from '../parts/format.ts';
import { signOut, useCurrentSession, useHasFeature, useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

type ListedSession = SessionList['data'][number];

const sessions = createQuery<[], SessionList>((signal) => getJson('/v1/console/sessions', signal));

const endOtherSession = async (id: string): Promise<void> => {
  await endSession(id);
  // Removed from the list at once, so that "Sign out everywhere" does not end it a second time.
  updateEntry(sessions.entry(), (known) => ({
    ...known,
    data: known.data.filter((session) => session.id !== id),
  }));
  void sessions.invalidate();
};

const sessionName = ({ id, user }: Pick<ListedSession, 'id' | 'user'>, ownId: string): string => {
  const browser = id === ownId ? texts.settings.thisSession : texts.settings.otherSession;
  return user === null ? browser : texts.settings.of(user.name || user.email, browser);
};

export const Sessions = () => {
  const own = useCurrentSession();
  const { id: ownId, user: person } = own;
  const { data, error } = useQuery(sessions);
  const end = useMutation(endOtherSession);
  const seesAll = useIsAllowed('people');
  // Admins also see the sessions of others, who stay signed in.
  const others = data?.data.filter(({ id, user }) => id !== ownId && user?.id === person?.id) ?? [];
  const endAll = async (): Promise<void> => {
    // `end.error` shows a failure.
    for (const { id } of others) if (!(await end.mutate(id))) return;
    await signOut(ownId);
  };
  return (
    <section class="card stack">
      <h2>{texts.settings.sessions}</h2>
      {!seesAll && <p class="hint">{texts.settings.ownSessions}</p>}
      {error !== null && <ErrorProblem error={error} />}
      <ActionError error={end.error} />
      <ul class="stack stack-tight">
        {/* The own session is known at once; without it, the list would move what is below it. */}
        {(data?.data ?? [own]).map((session) => {
          const { id, created_at, expires_at } = session;
          return (
            <li key={id} class="row spread">
              <span>
                {sessionName(session, ownId)}
                <span class="quiet small below">
                  {texts.settings.times(formatTime(created_at), formatTime(expires_at))}
                </span>
              </span>
              <SmallButton
                aria-disabled={end.isPending}
                onClick={() => (id === ownId ? void signOut(id) : end.mutate(id))}
              >
                {id === ownId ? texts.actions.signOut : texts.settings.end}
                {id !== ownId && (
                  <span class="visually-hidden">
                    {' '}
                    {sessionName(session, ownId)}, {formatTime(created_at)}
                  </span>
                )}
              </SmallButton>
            </li>
          );
        })}
      </ul>
      {others.length > 0 && (
        <div>
          <Button kind="button-danger" aria-disabled={end.isPending} onClick={() => void endAll()}>
            {texts.settings.endAll}
          </Button>
        </div>
      )}
    </section>
  );
};

const createLink = (): Promise<LinkObject> => sendJson('POST', '/v1/console/links', {});

/** A link signs in without a person; only where links are enabled. */
export const LinkForColleague = () => {
  const { data: options } = useQuery(signInOptions);
  const hasPeople = useHasFeature('people');
  const { mutate, data, error, isPending } = useMutation(createLink);
  if (options?.links !== true) return null;
  return (
    <section class="card stack">
      <h2>{texts.settings.link}</h2>
      <p>
        {texts.settings.linkHint}
        {hasPeople && ` ${texts.settings.inviteInstead}`}
      </p>
      <ActionError error={error} />
      {data !== undefined && <CodeBlock code={data.url} label={texts.settings.link} />}
      <div>
        <Button aria-disabled={isPending} onClick={() => mutate()}>
          {texts.share.create}
        </Button>
      </div>
    </section>
  );
};
