import { useState } from 'preact/hooks';
import { isMoney } from '../../functions/platform/domain/money.ts';
import { createKey, keys } from '../api/keys.ts';
import type { ApiKey } from '../api/shapes.ts';
import { useMutation } from '../api/use-mutation.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts.ts';
import { hasPrices } from '../usage/measures.ts';

const EXPIRY_DAYS = [7, 30, 90, 365] as const;
const DAY_SECONDS = 86_400;

type Props = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: ApiKey) => void;
};

export const CreateKey = ({ open, onClose, onCreated }: Props) => {
  const { project_id, prices } = useCurrentSession();
  const [name, setName] = useState('');
  const [days, setDays] = useState('');
  const [budget, setBudget] = useState('');
  const [tried, setTried] = useState(false);
  const { mutate, isPending, error, reset } = useMutation(
    () =>
      createKey(project_id, {
        name: name.trim(),
        ...(budget === '' ? {} : { monthly_budget: budget }),
        ...(days === '' ? {} : { expires_in_seconds: Number(days) * DAY_SECONDS }),
      }),
    (key) => {
      void keys.invalidate();
      setName('');
      setBudget('');
      setTried(false);
      onCreated(key);
    },
  );
  const isWrong = name.trim() === '' || (budget !== '' && !isMoney(budget));
  const close = (): void => {
    reset();
    onClose();
  };
  return (
    <Dialog title={texts.keys.create} open={open} onClose={close}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!isWrong && !isPending) mutate();
        }}
      >
        <Field
          label={texts.keys.name}
          hint={texts.keys.nameHint}
          problem={tried && name.trim() === '' ? texts.keys.nameMissing : undefined}
        >
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              dir="auto"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Field label={texts.keys.expires}>
          {(control) => (
            <select {...control} value={days} onChange={({ currentTarget }) => setDays(currentTarget.value)}>
              <option value="">{texts.keys.never}</option>
              {EXPIRY_DAYS.map((count) => (
                <option key={count} value={count}>
                  {texts.keys.inDays(count)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {hasPrices(prices) && (
          <Field
            label={texts.keys.budget}
            hint={texts.keys.budgetHint}
            problem={tried && budget !== '' && !isMoney(budget) ? texts.keys.budgetWrong : undefined}
          >
            {(control) => (
              <input
                {...control}
                inputMode="decimal"
                autoComplete="off"
                value={budget}
                onInput={({ currentTarget }) => setBudget(currentTarget.value.trim())}
              />
            )}
          </Field>
        )}
        {error !== null && <ErrorProblem error={error} />}
        <div class="row dialog-actions">
          <button type="button" class="button" onClick={close}>
            {texts.actions.cancel}
          </button>
          <button type="submit" class="button button-primary" disabled={isPending}>
            {texts.keys.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
