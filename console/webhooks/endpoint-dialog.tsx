import { useState } from 'preact/hooks';
import { WEBHOOK_EVENT_TYPES } from '../../functions/webhooks/domain/webhooks.ts';
import { useMutation } from '../api/use-mutation.ts';
import { type EndpointFields, refreshEndpoints } from '../api/webhooks.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorProblem } from '../parts/problem.tsx';
import { useCurrentSession } from '../shell/session-context.ts';
import { texts } from '../texts.ts';

const EMPTY: EndpointFields = { name: '', url: '', event_types: WEBHOOK_EVENT_TYPES };

const isAddress = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text);

/** Only the service of npm start is reached there, and it alone sends to its own machine. */
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
              WEBHOOK_EVENT_TYPES.filter((one) => (one === type ? checked : event_types.includes(one))),
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

const EndpointForm = <Saved,>({ action, onClose, initial = EMPTY, save, onSaved }: FormProps<Saved>) => {
  const isLocal = isLoopback(useCurrentSession().base_url);
  const [fields, setFields] = useState(initial);
  const [tried, setTried] = useState(false);
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
    url: isAddress(trimmed.url) ? undefined : texts.webhooks.urlWrong,
    events: fields.event_types.length === 0 ? texts.webhooks.eventsMissing : undefined,
  };
  const isWrong = Object.values(problems).some((problem) => problem !== undefined);
  const shown = tried ? problems : { name: undefined, url: undefined, events: undefined };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isWrong && !isPending) void mutate();
      }}
    >
      <Field label={texts.webhooks.name} problem={shown.name}>
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            dir="auto"
            value={fields.name}
            onInput={({ currentTarget }) => setFields({ ...fields, name: currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label={texts.webhooks.url}
        hint={isLocal ? texts.webhooks.urlHintLocal : texts.webhooks.urlHint}
        problem={shown.url}
      >
        {(control) => (
          <input
            {...control}
            type="url"
            autoComplete="off"
            placeholder="https://"
            value={fields.url}
            onInput={({ currentTarget }) => setFields({ ...fields, url: currentTarget.value })}
          />
        )}
      </Field>
      <Events
        event_types={fields.event_types}
        problem={shown.events}
        onChange={(event_types) => setFields({ ...fields, event_types })}
      />
      {error !== null && <ErrorProblem error={error} />}
      <div class="row dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {texts.actions.cancel}
        </button>
        <button type="submit" class="button button-primary" disabled={isPending}>
          {action}
        </button>
      </div>
    </form>
  );
};

/** Where events go, and which: for a new endpoint, or one that changes. */
export const EndpointDialog = <Saved,>({ title, open, ...form }: Props<Saved>) => (
  <Dialog title={title} open={open} onClose={form.onClose}>
    <EndpointForm {...form} />
  </Dialog>
);
