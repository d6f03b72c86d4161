import { useState } from 'preact/hooks';
import type { KeyObject } from '../../functions/identity/api/key-object.ts';
import { isMoney } from '../../functions/platform/domain/money.ts';
import { useMutation } from '../api/hooks.ts';
import { changeKey, refreshKeys, revokeKey } from '../api/organization.ts';
import { ConfirmButton, DialogButton, DialogForm, Named } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { formatDate, hasPrices } from '../parts/format.ts';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { DAY_SECONDS, EXPIRY_DAYS } from './create-key.tsx';

/** Keeps the expiry that the key has. */
const UNCHANGED = 'unchanged';
const NEVER = '';

const toSeconds = (days: string): number | null => (days === NEVER ? null : Number(days) * DAY_SECONDS);

const expiryOptions = ({ expires_at }: KeyObject): readonly (readonly [string, string])[] => [
  ...(expires_at === null ? [] : [[UNCHANGED, formatDate(expires_at)] as const]),
  [NEVER, texts.keys.never],
  ...EXPIRY_DAYS.map((count) => [String(count), texts.keys.inDays(count)] as const),
];

type FormProps = { readonly apiKey: KeyObject; readonly onClose: () => void };

const EditForm = ({ apiKey, onClose }: FormProps) => {
  const { project_id, prices } = useCurrentSession();
  const [name, setName] = useState(apiKey.name);
  const [days, setDays] = useState(apiKey.expires_at === null ? NEVER : UNCHANGED);
  const [budget, setBudget] = useState(apiKey.budget ?? '');
  const { mutate, isPending, error } = useMutation(
    () =>
      changeKey(project_id, apiKey.id, {
        name: name.trim(),
        ...(days === UNCHANGED ? {} : { expires_in_seconds: toSeconds(days) }),
        ...(hasPrices(prices) ? { monthly_budget: budget === '' ? null : budget } : {}),
      }),
    () => {
      refreshKeys();
      onClose();
    },
  );
  const nameProblem = name.trim() === '' ? texts.keys.nameMissing : undefined;
  const budgetProblem = budget !== '' && !isMoney(budget) ? texts.keys.budgetInvalid : undefined;
  return (
    <DialogForm
      action={texts.keys.save}
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={() => {
        if (nameProblem === undefined && budgetProblem === undefined) void mutate();
      }}
    >
      <TextField
        label={texts.keys.name}
        problem={nameProblem}
        autoComplete="off"
        dir="auto"
        value={name}
        onChange={setName}
      />
      <SelectField
        label={texts.keys.expires}
        value={days}
        options={expiryOptions(apiKey)}
        onChange={setDays}
      />
      {hasPrices(prices) && (
        <TextField
          label={texts.keys.budget}
          hint={texts.keys.editBudgetHint}
          problem={budgetProblem}
          inputMode="decimal"
          autoComplete="off"
          value={budget}
          onChange={(value) => setBudget(value.trim())}
        />
      )}
      <p class="hint">{texts.keys.editHint}</p>
    </DialogForm>
  );
};

/** A button that opens the terms of a key: its name, expiry and budget. */
export const EditKey = ({ apiKey }: { readonly apiKey: KeyObject }) => (
  <DialogButton
    class="button button-small"
    title={texts.keys.editTitle(apiKey.name)}
    label={<Named label={texts.keys.edit} name={apiKey.name} />}
  >
    {(close) => <EditForm apiKey={apiKey} onClose={close} />}
  </DialogButton>
);

/** A button that revokes a key, once that is confirmed. */
export const RevokeKey = ({ apiKey }: { readonly apiKey: KeyObject }) => {
  const { project_id } = useCurrentSession();
  return (
    <ConfirmButton
      class="button button-small"
      title={texts.keys.revokeTitle(apiKey.name)}
      label={<Named label={texts.keys.revoke} name={apiKey.name} />}
      text={texts.keys.revokeText}
      action={texts.keys.revoke}
      onConfirm={() => revokeKey(project_id, apiKey.id)}
      onDone={refreshKeys}
    />
  );
};
