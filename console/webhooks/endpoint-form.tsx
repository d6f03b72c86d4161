import { useState } from 'preact/hooks';
import { WEBHOOK_EVENT_TYPES } from '../../functions/webhooks/domain/webhooks.ts';
import { useMutation } from '../api/hooks.ts';
import { type EndpointFields, refreshEndpoints } from '../api/webhooks.ts';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { ActionError } from '../parts/feedback.tsx';
import { TextField } from '../parts/field.tsx';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';

const NEW_ENDPOINT: EndpointFields = { name: '', url: '', event_types: WEBHOOK_EVENT_TYPES };

const isUrl = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text);

/** Only a service started with npm start is on a loopback address, and only it sends events to the same machine. */
const isLoopback = (baseUrl: string): boolean => /^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(baseUrl);

type Props<Saved> = {
  readonly title: string;
  readonly action: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly initial?: EndpointFields;
  readonly save: (fields: EndpointFields) => Promise<Saved>;
  readonly onSaved: (saved: Saved) => void;
};

type FormProps<Saved> = Omit<Props<Saved>, 'title' | 'open'>;

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
          {texts.webhooks.eventMeanings[type]} <code class="quiet">{type}</code>
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
}: FormProps<Saved>) => {
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
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsSubmitted(true);
        if (!isInvalid && !isPending) void mutate();
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
      <ActionError error={error} />
      <DialogActions action={action} onClose={onClose} isPending={isPending} />
    </form>
  );
};

/** Creates or edits a webhook endpoint. */
export const EndpointDialog = <Saved,>({ title, open, ...form }: Props<Saved>) => (
  <Dialog title={title} open={open} onClose={form.onClose}>
    <EndpointForm {...form} />
  </Dialog>
);
