import { useState } from 'preact/hooks';
import { useMutation } from '../api/use-mutation.ts';
import { type Endpoint, testEndpoint } from '../api/webhooks.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DialogActions } from '../parts/dialog-actions.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { texts } from '../texts/texts.ts';

type Props = { readonly endpoint: Endpoint; readonly open: boolean; readonly onClose: () => void };

const TestForm = ({ endpoint, onClose }: Omit<Props, 'open'>) => {
  const [type, setType] = useState<string>(endpoint.event_types[0] ?? '');
  const { mutate, isPending, error, data } = useMutation(() => testEndpoint(endpoint.id, type));
  return (
    <div class="stack">
      <p>{texts.webhooks.testText}</p>
      <Field label={texts.webhooks.testEvent}>
        {(control) => (
          <select {...control} value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
            {endpoint.event_types.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div role="status">
        {data !== undefined && (
          <p class="badge badge-completed">{texts.webhooks.testAnswer(data.status_code)}</p>
        )}
      </div>
      {error !== null && <ErrorProblem error={error} />}
      <DialogActions
        closeLabel={texts.actions.close}
        onClose={onClose}
        actionLabel={texts.webhooks.testSend}
        onAction={() => void mutate()}
        isPending={isPending}
      />
    </div>
  );
};

/** What the endpoint answers to an event that it can try as often as it likes. */
export const TestDialog = ({ open, ...form }: Props) => (
  <Dialog title={texts.webhooks.test} open={open} onClose={form.onClose}>
    <TestForm {...form} />
  </Dialog>
);
