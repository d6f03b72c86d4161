import { useState } from 'preact/hooks';
import type { CreatedKey } from '../../functions/identity/api/key-object.ts';
import { isMoney } from '../../functions/platform/domain/money.ts';
import { useMutation } from '../api/hooks.ts';
import { createKey, refreshKeys } from '../api/organization.ts';
import { Choices } from '../parts/choices.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Dialog, DialogForm, ShowOnce } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { hasPrices } from '../parts/format.ts';
import { useCurrentSession, useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

export const EXPIRY_DAYS = [7, 30, 90, 365] as const;
export const DAY_SECONDS = 86_400;

let latestKey: CreatedKey | undefined;

/** The last created key with its value, which exists only in the memory of the page. */
export const getLatestKey = (): CreatedKey | undefined => latestKey;

type Props = {
  readonly open: boolean;
  /** The values with which the form starts. */
  readonly suggested?: { readonly name: string; readonly days: string; readonly budget: string };
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
};

const NOTHING = { name: '', days: '', budget: '' };

export const CreateKey = ({ open, suggested = NOTHING, onClose, onCreated }: Props) => {
  const { project_id, prices, user } = useCurrentSession();
  const canChooseOwner = useIsAllowed('allKeys') && user !== null;
  const [owner, setOwner] = useState<'person' | 'account'>('person');
  const [name, setName] = useState(suggested.name);
  const [days, setDays] = useState(suggested.days);
  const [budget, setBudget] = useState(hasPrices(prices) ? suggested.budget : '');
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { mutate, isPending, error, reset } = useMutation(
    () =>
      createKey(project_id, {
        name: name.trim(),
        ...(canChooseOwner && owner === 'account' ? { owner } : {}),
        ...(budget === '' ? {} : { monthly_budget: budget }),
        ...(days === '' ? {} : { expires_in_seconds: Number(days) * DAY_SECONDS }),
      }),
    (key) => {
      latestKey = key;
      refreshKeys();
      setName(suggested.name);
      setBudget(hasPrices(prices) ? suggested.budget : '');
      setIsSubmitted(false);
      onCreated(key);
    },
  );
  const isBudgetInvalid = budget !== '' && !isMoney(budget);
  const isInvalid = name.trim() === '' || isBudgetInvalid;
  const close = (): void => {
    reset();
    onClose();
  };
  return (
    <Dialog title={texts.keys.create} open={open} onClose={close}>
      <DialogForm
        action={texts.keys.create}
        onClose={close}
        isPending={isPending}
        error={error}
        onSubmit={() => {
          setIsSubmitted(true);
          if (!isInvalid) void mutate();
        }}
      >
        <TextField
          label={texts.keys.name}
          hint={texts.keys.nameHint}
          problem={isSubmitted && name.trim() === '' ? texts.keys.nameMissing : undefined}
          autoComplete="off"
          dir="auto"
          value={name}
          onChange={setName}
        />
        <SelectField
          label={texts.keys.expires}
          value={days}
          options={[
            ['', texts.keys.never],
            ...EXPIRY_DAYS.map((count) => [String(count), texts.keys.inDays(count)] as const),
          ]}
          onChange={setDays}
        />
        {canChooseOwner && (
          <Choices
            legend={texts.keys.owner}
            value={owner}
            choices={[
              { value: 'person' as const, label: texts.keys.me },
              { value: 'account' as const, label: texts.keys.theAccount },
            ]}
            reason={owner === 'person' ? texts.keys.ownHint : texts.keys.accountHint}
            onChange={setOwner}
          />
        )}
        {hasPrices(prices) && (
          <TextField
            label={texts.keys.budget}
            hint={texts.keys.budgetHint}
            problem={isSubmitted && isBudgetInvalid ? texts.keys.budgetInvalid : undefined}
            inputMode="decimal"
            autoComplete="off"
            value={budget}
            onChange={(value) => setBudget(value.trim())}
          />
        )}
      </DialogForm>
    </Dialog>
  );
};

type ShowProps = { readonly apiKey: CreatedKey | undefined; readonly onClose: () => void };

/** The value of a new key, and a command to try it. */
export const ShowKey = ({ apiKey, onClose }: ShowProps) => {
  const { base_url } = useCurrentSession();
  return (
    <ShowOnce
      title={texts.keys.createdTitle}
      text={texts.keys.onceOnly}
      value={apiKey?.value}
      done={texts.keys.done}
      onClose={onClose}
    >
      <p>{texts.keys.testLine}</p>
      <CodeBlock
        code={`curl ${base_url}/v1/models \\\n  -H "Authorization: Bearer ${apiKey?.value}"`}
        label={texts.keys.testLine}
      />
    </ShowOnce>
  );
};
