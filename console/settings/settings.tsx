import { createLink, endOtherSession, sessions } from '../api/sessions.ts';
import { useMutation } from '../api/use-mutation.ts';
import { useQuery } from '../api/use-query.ts';
import { Choices } from '../parts/choices.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { ActionError, ErrorProblem } from '../parts/feedback.tsx';
import { formatTime } from '../parts/format.ts';
import { chooseTheme, THEMES, usePreference } from '../parts/preferences.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { signOut, useCurrentSession } from '../shell/session.ts';
import { ShortcutList } from '../shell/shortcut-help.tsx';
import { texts } from '../texts/texts.ts';

const Appearance = () => {
  const [stored] = usePreference('theme');
  return (
    <section class="card stack">
      <h2>{texts.settings.appearance}</h2>
      <Choices
        legend={texts.settings.theme}
        value={THEMES.find((theme) => theme === stored) ?? 'system'}
        choices={THEMES.map((value) => ({ value, label: texts.settings.themes[value] }))}
        onChange={chooseTheme}
      />
    </section>
  );
};

const ShortcutSettings = () => {
  const [stored, setStored] = usePreference('shortcuts');
  return (
    <section class="card stack">
      <h2>{texts.settings.shortcuts}</h2>
      <label class="switch">
        <input
          type="checkbox"
          checked={stored !== 'off'}
          onChange={({ currentTarget }) => setStored(currentTarget.checked ? undefined : 'off')}
        />
        {texts.settings.shortcutsOn}
      </label>
      <ShortcutList />
    </section>
  );
};

const Sessions = () => {
  const { id: ownId } = useCurrentSession();
  const { data, error } = useQuery(sessions);
  const end = useMutation(endOtherSession);
  const others = data?.data.filter(({ id }) => id !== ownId) ?? [];
  const endAll = async (): Promise<void> => {
    // `end.error` shows a failure.
    for (const { id } of others) if (!(await end.mutate(id))) return;
    await signOut(ownId);
  };
  return (
    <section class="card stack">
      <h2>{texts.settings.sessions}</h2>
      {error !== null && <ErrorProblem error={error} />}
      <ActionError error={end.error} />
      <ul class="stack stack-tight">
        {data?.data.map(({ id, created_at, expires_at }) => (
          <li key={id} class="row spread">
            <span>
              {id === ownId ? texts.settings.thisSession : texts.settings.otherSession}
              <span class="quiet small session-times">
                {texts.settings.times(formatTime(created_at), formatTime(expires_at))}
              </span>
            </span>
            <button
              type="button"
              class="button button-small"
              disabled={end.isPending}
              onClick={() => (id === ownId ? void signOut(id) : end.mutate(id))}
            >
              {id === ownId ? texts.actions.signOut : texts.settings.end}
            </button>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div>
          <button
            type="button"
            class="button button-danger"
            disabled={end.isPending}
            onClick={() => void endAll()}
          >
            {texts.settings.endAll}
          </button>
        </div>
      )}
    </section>
  );
};

const LinkForColleague = () => {
  const { mutate, data, error, isPending } = useMutation(createLink);
  return (
    <section class="card stack">
      <h2>{texts.settings.link}</h2>
      <p>{texts.settings.linkHint}</p>
      <ActionError error={error} />
      {data !== undefined && <CodeBlock code={data.url} label={texts.settings.link} />}
      <div>
        <button type="button" class="button" disabled={isPending} onClick={() => mutate()}>
          {texts.settings.createLink}
        </button>
      </div>
    </section>
  );
};

export const Settings = () => (
  <>
    <PageTitle title={texts.settings.title} />
    <div class="settings">
      <div class="stack">
        <Appearance />
        <Sessions />
        <LinkForColleague />
      </div>
      <ShortcutSettings />
    </div>
  </>
);
