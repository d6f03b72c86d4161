import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CreatedKey, KeyObject } from '../../functions/identity/api/key-object.ts';
import { isMoney } from '../../functions/platform/domain/money.ts';
import { useMutation } from '../api/hooks.ts';
import { changeKey, createKey, refreshKeys, revokeKey } from '../api/organization.ts';
import { Choices } from '../parts/choices.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import {
  ConfirmButton,
  DialogButton,
  DialogForm,
  ShowOnce,
  useCreation,
  useProblems,
} from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { formatDate, hasPrices } from '../parts/format.ts';
import { useCurrentSession, useIsAllowed } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

const EXPIRY_DAYS = [7, 30, 90, 365] as const;
const DAY_SECONDS = 86_400;
const NEVER = '';
/** Keeps the expiry that the key has. */
const UNCHANGED = 'unchanged';

type Terms = { readonly name: string; readonly days: string; readonly budget: string };

const NO_TERMS: Terms = { name: '', days: NEVER, budget: '' };

const toSeconds = (days: string): number => Number(days) * DAY_SECONDS;

type FormProps = {
  readonly initial: Terms;
  /** When an existing key expires. */
  readonly expiresAt?: number | null;
  readonly nameHint?: string;
  readonly budgetHint: string;
  readonly action: string;
  readonly save: (terms: Terms) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** The terms of a new or an existing key. Without prices, it has no budget. */
const KeyForm = (props: FormProps) => {
  const { initial, expiresAt = null, nameHint, budgetHint, action, save, onClose, children } = props;
  const canHaveBudget = hasPrices(useCurrentSession().prices);
  const [terms, setTerms] = useState(initial);
  const name = terms.name.trim();
  const budget = canHaveBudget ? terms.budget.trim() : '';
  const saving = useMutation(() => save({ ...terms, name, budget }), refreshKeys);
  const problems = {
    name: name === '' ? texts.form.nameMissing : undefined,
    budget: budget !== '' && !isMoney(budget) ? texts.keys.budgetInvalid : undefined,
  };
  const [shown, submit] = useProblems(problems, saving.mutate);
  return (
    <DialogForm action={action} mutation={saving} onSubmit={submit} onClose={onClose}>
      <TextField
        label={texts.form.name}
        hint={nameHint}
        problem={shown.name}
        autoComplete="off"
        dir="auto"
        value={terms.name}
        onChange={(name) => setTerms({ ...terms, name })}
      />
      <SelectField
        label={texts.keys.expires}
        value={terms.days}
        options={[
          ...(expiresAt === null ? [] : [[UNCHANGED, formatDate(expiresAt)] as const]),
          [NEVER, texts.states.never],
          ...EXPIRY_DAYS.map((count) => [String(count), texts.keys.inDays(count)] as const),
        ]}
        onChange={(days) => setTerms({ ...terms, days })}
      />
      {canHaveBudget && (
        <TextField
          label={texts.keys.budget}
          hint={budgetHint}
          problem={shown.budget}
          inputMode="decimal"
          autoComplete="off"
          value={terms.budget}
          onChange={(budget) => setTerms({ ...terms, budget })}
        />
      )}
      {children}
    </DialogForm>
  );
};

let latestKey: CreatedKey | undefined;

/** The last created key with its value, which exists only in the memory of the page. */
export const getLatestKey = (): CreatedKey | undefined => latestKey;

type CreateProps = {
  /** The values with which the form starts. */
  readonly suggested?: Terms;
  readonly onClose: () => void;
  readonly onCreated: (key: CreatedKey) => void;
};

export const CreateKeyForm = ({ suggested = NO_TERMS, onClose, onCreated }: CreateProps) => {
  const { project_id, user } = useCurrentSession();
  const canChooseOwner = useIsAllowed('allKeys') && user !== null;
  const [owner, setOwner] = useState<'person' | 'account'>('person');
  const create = async ({ name, days, budget }: Terms): Promise<void> => {
    latestKey = await createKey(project_id, {
      name,
      ...(canChooseOwner && owner === 'account' ? { owner } : {}),
      ...(budget === '' ? {} : { monthly_budget: budget }),
      ...(days === NEVER ? {} : { expires_in_seconds: toSeconds(days) }),
    });
    onCreated(latestKey);
  };
  return (
    <KeyForm
      initial={suggested}
      nameHint={texts.keys.nameHint}
      budgetHint={texts.keys.budgetHint}
      action={texts.keys.create}
      save={create}
      onClose={onClose}
    >
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
    </KeyForm>
  );
};

type KeyProps = { readonly apiKey: KeyObject };

export const EditKey = ({ apiKey: { id, name, expires_at, budget } }: KeyProps) => {
  const { project_id, prices } = useCurrentSession();
  const change = (terms: Terms): Promise<unknown> =>
    changeKey(project_id, id, {
      name: terms.name,
      ...(terms.days === UNCHANGED
        ? {}
        : { expires_in_seconds: terms.days === NEVER ? null : toSeconds(terms.days) }),
      ...(hasPrices(prices) ? { monthly_budget: terms.budget === '' ? null : terms.budget } : {}),
    });
  return (
    <DialogButton isSmall title={texts.keys.editTitle(name)} label={texts.actions.edit} name={name}>
      {(close) => (
        <KeyForm
          initial={{ name, days: expires_at === null ? NEVER : UNCHANGED, budget: budget ?? '' }}
          expiresAt={expires_at}
          budgetHint={texts.keys.editBudgetHint}
          action={texts.actions.save}
          save={(terms) => change(terms).then(close)}
          onClose={close}
        >
          <p class="hint">{texts.keys.editHint}</p>
        </KeyForm>
      )}
    </DialogButton>
  );
};

export const RevokeKey = ({ apiKey: { id, name } }: KeyProps) => {
  const { project_id } = useCurrentSession();
  return (
    <ConfirmButton
      isSmall
      title={texts.keys.revokeTitle(name)}
      label={texts.actions.revoke}
      name={name}
      text={texts.keys.revokeText}
      action={texts.actions.revoke}
      onConfirm={() => revokeKey(project_id, id)}
      onDone={refreshKeys}
    />
  );
};

type ShowProps = { readonly apiKey: CreatedKey | undefined; readonly onClose: () => void };

const ShowKey = ({ apiKey, onClose }: ShowProps) => {
  const { base_url } = useCurrentSession();
  return (
    <ShowOnce
      title={texts.keys.createdTitle}
      text={texts.keys.onceOnly}
      value={apiKey?.value}
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

export const useKeyCreation = (suggested?: Terms) =>
  useCreation<CreatedKey>({
    label: texts.keys.create,
    form: (onCreated, close) => (
      <CreateKeyForm {...(suggested && { suggested })} onClose={close} onCreated={onCreated} />
    ),
    show: (apiKey, close) => <ShowKey apiKey={apiKey} onClose={close} />,
  });
