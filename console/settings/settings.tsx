import { Choices } from '../parts/choices.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { formatTime } from '../parts/format.ts';
import { type Pair, Pairs } from '../parts/lists.tsx';
import { chooseTheme, THEMES, usePreference } from '../parts/storage.ts';
import { Toggle } from '../parts/toggle.tsx';
import { NAVIGATION } from '../shell/navigation.tsx';
import { PageTitle } from '../shell/page-title.tsx';
import { useCurrentSession, useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { LinkForColleague, Sessions } from './sessions.tsx';
import { Storage } from './storage.tsx';

const Profile = () => {
  const { user, role, project_id, provider, expires_at, ends_at } = useCurrentSession();
  const pairs: readonly Pair[] = [
    [texts.form.name, user === null ? texts.account.link : user.name],
    ...(user === null || user.email === '' ? [] : [[texts.people.email, user.email] as const]),
    [texts.scope.account, project_id],
    [texts.people.role, texts.account.roles[role]],
    ...(user === null || provider === null ? [] : [[texts.settings.provider, provider.name] as const]),
    [texts.settings.signedInUntil, formatTime(ends_at)],
  ];
  return (
    <section class="card stack">
      <h2>{texts.settings.profile}</h2>
      <Pairs pairs={pairs} />
      <p class="hint">{texts.settings.signedInHint(formatTime(expires_at))}</p>
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

const ShortcutList = () => (
  <dl class="pairs">
    {NAVIGATION.map(({ path, label, letter }) => (
      <div key={path}>
        <dt>{label}</dt>
        <dd>
          <kbd>g</kbd> <kbd>{letter}</kbd>
        </dd>
      </div>
    ))}
    {texts.shortcuts.others.map(({ keys, meaning }) => (
      <div key={meaning}>
        <dt>{meaning}</dt>
        <dd>
          <kbd>{keys}</kbd>
        </dd>
      </div>
    ))}
  </dl>
);

type HelpProps = { readonly open: boolean; readonly onClose: () => void };

/** The `?` key shows it on every page. */
export const ShortcutHelp = (dialog: HelpProps) => (
  <Dialog title={texts.shortcuts.title} {...dialog}>
    <ShortcutList />
  </Dialog>
);

const ShortcutSettings = () => {
  const [stored, setStored] = usePreference('shortcuts');
  return (
    <section class="card stack">
      <h2>{texts.shortcuts.title}</h2>
      <Toggle isOn={stored !== 'off'} onChange={(isOn) => setStored(isOn ? undefined : 'off')}>
        {texts.settings.shortcutsOn}
      </Toggle>
      <ShortcutList />
    </section>
  );
};

export const Settings = () => (
  <>
    <PageTitle title={texts.navigation.settings} />
    <div class="settings">
      <div class="stack">
        <Profile />
        <Sessions />
        <Storage />
        <Appearance />
        {/* Last, because it appears a moment later. */}
        {useIsAllowed('links') && <LinkForColleague />}
      </div>
      <ShortcutSettings />
    </div>
  </>
);
