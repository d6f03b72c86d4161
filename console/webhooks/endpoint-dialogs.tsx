import { useState } from 'preact/hooks';
import type { EndpointObject } from '../../functions/webhooks/api/webhook-schema.ts';
import { SENT_WHEN, WEBHOOK_EVENT_TYPES } from '../../functions/webhooks/domain/webhooks.ts';
import { useMutation } from '../api/hooks.ts';
import { type EndpointFields, refreshEndpoints, rotateSecret, testEndpoint } from '../api/webhooks.ts';
import { Dialog, DialogActions, DialogForm, ShowOnce } from '../parts/dialog.tsx';
import { ActionError } from '../parts/feedback.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

const NEW_ENDPOINT: EndpointFields = { name: '', url: '', event_types: WEBHOOK_EVENT_TYPES };

const isUrl = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text);

/** Only a service started with npm start is on a loopback address, and only it sends events to the same machine. */
const isLoopback = (baseUrl: string): boolean => /^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(baseUrl);

type EditProps<Saved> = {
  readonly title: string;
  readonly action: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly initial?: EndpointFields;
  readonly save: (fields: EndpointFields) => Promise<Saved>;
  readonly onSaved: (saved: Saved) => void;
};

type EditFormProps<Saved> = Omit<EditProps<Saved>, 'title' | 'open'>;

type EventsProps = Pick<EndpointFields, 'event_types'> & {
  readonly problem: string | undefined;
  readonly onChange: (types: EndpointFields['event_types']) => void;
};

const Events = ({ event_types, problem, onChange }: EventsProps) => (
  <fieldset class="field" aria-describedby={problem === undefined ? undefined : 'events-problem'}>
    <legend class="label">{texts.webhooks.events}</legend>
    {WEBHOOK_EVENT_TYPES.map((type) => (
      <label key={type} class="switch">
        <input
          type="checkbox"
          checked={event_types.includes(type)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(
              WEBHOOK_EVENT_TYPES.filter((name) => (name === type ? checked : event_types.includes(name))),
            )
          }
        />
        <span>
          {SENT_WHEN[type]} <code class="quiet">{type}</code>
        </span>
      </label>
    ))}
    {problem !== undefined && (
      <p id="events-problem" class="wrong">
        {problem}
      </p>
    )}
  </fieldset>
);

const EndpointForm = <Saved,>({
  action,
  onClose,
  initial = NEW_ENDPOINT,
  save,
  onSaved,
}: EditFormProps<Saved>) => {
  const isLocal = isLoopback(useCurrentSession().base_url);
  const [fields, setFields] = useState(initial);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const trimmed = { ...fields, name: fields.name.trim(), url: fields.url.trim() };
  const { mutate, isPending, error } = useMutation(
    () => save(trimmed),
    (saved) => {
      refreshEndpoints();
      onSaved(saved);
    },
  );
  const problems = {
    name: trimmed.name === '' ? texts.webhooks.nameMissing : undefined,
    url: isUrl(trimmed.url) ? undefined : texts.webhooks.urlInvalid,
    events: fields.event_types.length === 0 ? texts.webhooks.eventsMissing : undefined,
  };
  const isInvalid = Object.values(problems).some((problem) => problem !== undefined);
  const shown = isSubmitted ? problems : { name: undefined, url: undefined, events: undefined };
  return (
    <DialogForm
      action={action}
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={() => {
        setIsSubmitted(true);
        if (!isInvalid) void mutate();
      }}
    >
      <TextField
        label={texts.webhooks.name}
        problem={shown.name}
        autoComplete="off"
        dir="auto"
        value={fields.name}
        onChange={(name) => setFields({ ...fields, name })}
      />
      <TextField
        label={texts.webhooks.url}
        hint={isLocal ? texts.webhooks.urlHintLocal : texts.webhooks.urlHint}
        problem={shown.url}
        type="url"
        autoComplete="off"
        placeholder="https://"
        value={fields.url}
        onChange={(url) => setFields({ ...fields, url })}
      />
      <Events
        event_types={fields.event_types}
        problem={shown.events}
        onChange={(event_types) => setFields({ ...fields, event_types })}
      />
    </DialogForm>
  );
};

/** Creates or edits a webhook endpoint. */
export const EndpointDialog = <Saved,>({ title, open, ...form }: EditProps<Saved>) => (
  <Dialog title={title} open={open} onClose={form.onClose}>
    <EndpointForm {...form} />
  </Dialog>
);

type Props = {
  readonly endpoint: EndpointObject;
  readonly open: boolean;
  readonly onClose: () => void;
};

const TestForm = ({ endpoint, onClose }: Omit<Props, 'open'>) => {
  const [type, setType] = useState<string>(endpoint.event_types[0] ?? '');
  const { mutate, isPending, error, data } = useMutation(() => testEndpoint(endpoint.id, type));
  return (
    <div class="stack">
      <p>{texts.webhooks.testText}</p>
      <SelectField
        label={texts.webhooks.event}
        value={type}
        options={endpoint.event_types.map((name) => [name, name] as const)}
        onChange={setType}
      />
      <div role="status">
        {data !== undefined && (
          <p class="badge badge-completed">{texts.webhooks.testResponse(data.status_code)}</p>
        )}
      </div>
      <ActionError error={error} />
      <DialogActions
        action={texts.webhooks.testSend}
        onAction={() => void mutate()}
        onClose={onClose}
        closeLabel={texts.actions.close}
        isPending={isPending}
      />
    </div>
  );
};

/** Sends a sample event and shows the response. */
export const TestDialog = ({ open, ...form }: Props) => (
  <Dialog title={texts.webhooks.test} open={open} onClose={form.onClose}>
    <TestForm {...form} />
  </Dialog>
);

export type Rotated = { readonly secret: string; readonly keepsOldSecret: boolean };

type RotateProps = Props & { readonly onRotated: (rotated: Rotated) => void };

const RotateForm = ({ endpoint, onClose, onRotated }: Omit<RotateProps, 'open'>) => {
  const [keepsOldSecret, setKeepsOldSecret] = useState(true);
  const { mutate, isPending, error } = useMutation(
    () => rotateSecret(endpoint.id, keepsOldSecret),
    ({ signing_secret }) => onRotated({ secret: signing_secret, keepsOldSecret }),
  );
  return (
    <div class="stack">
      <p>{texts.webhooks.rotateText}</p>
      <label class="switch">
        <input
          type="checkbox"
          checked={keepsOldSecret}
          onChange={({ currentTarget }) => setKeepsOldSecret(currentTarget.checked)}
        />
        {texts.webhooks.keepOld}
      </label>
      {!keepsOldSecret && <p class="hint">{texts.webhooks.dropOld}</p>}
      <ActionError error={error} />
      <DialogActions
        action={texts.webhooks.rotate}
        onAction={() => void mutate()}
        onClose={onClose}
        isPending={isPending}
      />
    </div>
  );
};

export const RotateDialog = ({ open, ...form }: RotateProps) => (
  <Dialog title={texts.webhooks.rotate} open={open} onClose={form.onClose}>
    <RotateForm {...form} />
  </Dialog>
);

type SecretProps = {
  readonly secret: string | undefined;
  readonly note?: string | undefined;
  readonly onClose: () => void;
};

export const ShowSecret = ({ secret, note, onClose }: SecretProps) => (
  <ShowOnce
    title={texts.webhooks.secretTitle}
    text={texts.webhooks.secretOnce}
    value={secret}
    done={texts.webhooks.secretDone}
    onClose={onClose}
  >
    {note !== undefined && <p class="hint">{note}</p>}
  </ShowOnce>
);
