import { Choices } from '../parts/choices.tsx';
import { formatTime } from '../parts/format.ts';
import { type Pair, Pairs } from '../parts/lists.tsx';
import { chooseTheme, THEMES, usePreference } from '../parts/storage.ts';
import { useIsAllowed } from '../shell/allowed.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { ShortcutList } from '../shell/shortcut-help.tsx';
import { texts } from '../texts/texts.ts';
import { LinkForColleague, Sessions } from './sessions.tsx';

/** Who is signed in, where, and until when. */
const Profile = () => {
  const { user, role, project_id, provider, ends_at } = useCurrentSession();
  const pairs: readonly Pair[] = [
    [texts.settings.name, user === null ? texts.account.link : user.name],
    ...(user === null || user.email === '' ? [] : [[texts.settings.email, user.email] as const]),
    [texts.settings.account, project_id],
    [texts.settings.role, texts.account.roles[role]],
    ...(user === null || provider === null ? [] : [[texts.settings.provider, provider.name] as const]),
    [texts.settings.signedInUntil, formatTime(ends_at)],
  ];
  return (
    <section class="card stack">
      <h2>{texts.settings.profile}</h2>
      <Pairs pairs={pairs} />
      <p class="hint">{texts.settings.signedInHint}</p>
    </section>
  );
};

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

export const Settings = () => (
  <>
    <PageTitle title={texts.settings.title} />
    <div class="settings">
      <div class="stack">
        <Profile />
        <Sessions />
        {useIsAllowed('links') && <LinkForColleague />}
        <Appearance />
      </div>
      <ShortcutSettings />
    </div>
  </>
);
