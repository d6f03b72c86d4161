import { useState } from 'preact/hooks';
import { formatBytes, MAX_KEPT_MEGABYTES } from '../../functions/billing/domain/kept-storage.ts';
import { useMutation, useQuery } from '../api/hooks.ts';
import { setStorageLimit, storage } from '../api/library.ts';
import { Choices, Toggle } from '../parts/choices.tsx';
import { Dialog, DialogButton, DialogForm, useProblems } from '../parts/dialog.tsx';
import { ErrorProblem } from '../parts/feedback.tsx';
import { TextField } from '../parts/field.tsx';
import { formatMoney, formatNumber, formatTime } from '../parts/format.ts';
import { type Pair, Pairs } from '../parts/lists.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { notify } from '../session/notices.ts';
import { useCurrentSession, useIsAllowed } from '../session/session.ts';
import { chooseTheme, THEMES, usePreference } from '../session/storage.ts';
import { usePages } from '../shell/navigation.tsx';
import { texts } from '../texts/texts.ts';
import { LinkForColleague, Sessions } from './sessions.tsx';

const MEGABYTES = 1000;

/** Undefined for a text that is not a limit; null for the default of the service. */
const readGigabytes = (text: string): number | null | undefined => {
  if (text.trim() === '') return null;
  const megabytes = Math.round(Number(text) * MEGABYTES);
  return megabytes >= 0 && megabytes <= MAX_KEPT_MEGABYTES ? megabytes : undefined;
};

type LimitProps = {
  readonly defaultBytes: number;
  readonly limitBytes: number | null;
  readonly onClose: () => void;
};

const LimitForm = ({ defaultBytes, limitBytes, onClose }: LimitProps) => {
  const { project_id } = useCurrentSession();
  const [text, setText] = useState(
    limitBytes === null || limitBytes === defaultBytes ? '' : String(limitBytes / 1e9),
  );
  const megabytes = readGigabytes(text);
  const saving = useMutation(
    () => setStorageLimit(project_id, megabytes ?? null),
    () => {
      onClose();
      notify(texts.storage.saved);
    },
  );
  const problems = { limit: megabytes === undefined ? texts.storage.limitWrong : undefined };
  const [shown, submit] = useProblems(problems, saving.mutate);
  return (
    <DialogForm action={texts.actions.save} mutation={saving} onSubmit={submit} onClose={onClose}>
      <TextField
        label={texts.storage.limit}
        hint={texts.storage.limitHint(formatNumber(defaultBytes / 1e9))}
        problem={shown.limit}
        inputMode="decimal"
        value={text}
        onChange={setText}
      />
    </DialogForm>
  );
};

export const Storage = () => {
  const { data, error, refetch } = useQuery(storage, useCurrentSession().project_id);
  const mayChange = useIsAllowed('storage');
  const cost = (each: { readonly amount: string; readonly currency: string } | null): string =>
    each === null ? '' : formatMoney(each.amount, each.currency);
  return (
    <section class="card stack">
      <h2>{texts.storage.title}</h2>
      {error !== null && <ErrorProblem error={error} retry={refetch} />}
      {/* As high as with the figures, so that nothing moves. */}
      <p class="number">
        {data === undefined
          ? texts.states.none
          : data.limit_bytes === null
            ? texts.storage.usedWithoutLimit(formatBytes(data.used_bytes))
            : texts.storage.used(formatBytes(data.used_bytes), formatBytes(data.limit_bytes))}
      </p>
      <meter
        class="storage-meter"
        aria-label={texts.storage.meter}
        min={0}
        max={Math.max(1, data?.limit_bytes ?? data?.used_bytes ?? 1)}
        value={data?.used_bytes ?? 0}
      />
      <p class="number">
        {data === undefined
          ? texts.states.none
          : data.limit_cost === null
            ? texts.storage.usedCost(cost(data.used_cost))
            : texts.storage.cost(cost(data.used_cost), cost(data.limit_cost))}
      </p>
      <p class="hint">{texts.storage.hint}</p>
      {mayChange && (
        <div class="row storage-change">
          {data !== undefined && (
            <DialogButton label={texts.storage.change}>
              {(close) => (
                <LimitForm
                  defaultBytes={data.default_limit_bytes}
                  limitBytes={data.limit_bytes}
                  onClose={close}
                />
              )}
            </DialogButton>
          )}
        </div>
      )}
    </section>
  );
};

const Profile = () => {
  const { user, role, project_id, provider, expires_at, ends_at } = useCurrentSession();
  const pairs: readonly Pair[] = [
    [texts.form.name, user === null ? texts.account.link : user.name],
    [texts.people.email, user?.email || undefined],
    [texts.scope.account, project_id],
    [texts.people.role, texts.account.roles[role]],
    [texts.settings.provider, user === null ? undefined : provider?.name],
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
  <dl class="pairs stack stack-tight">
    {usePages().map(({ path, label, letter }) => (
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

/** The `?` key shows it on every page. */
export const ShortcutHelp = (dialog: { readonly open: boolean; readonly onClose: () => void }) => (
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
    <div class="split settings">
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
