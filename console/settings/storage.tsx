import { useState } from 'preact/hooks';
import { formatBytes, MAX_KEPT_MEGABYTES } from '../../functions/billing/domain/kept-storage.ts';
import { useMutation, useQuery } from '../api/hooks.ts';
import { setStorageLimit, storage } from '../api/library.ts';
import { DialogButton, DialogForm, useProblems } from '../parts/dialog.tsx';
import { ErrorProblem } from '../parts/feedback.tsx';
import { TextField } from '../parts/field.tsx';
import { formatMoney, formatNumber } from '../parts/format.ts';
import { notify } from '../shell/notices.tsx';
import { useCurrentSession, useIsAllowed } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

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
