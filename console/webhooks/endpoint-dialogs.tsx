import { useState } from 'preact/hooks';
import type { EndpointObject } from '../../functions/webhooks/api/webhook-schema.ts';
import { SENT_WHEN, WEBHOOK_EVENT_TYPES } from '../../functions/webhooks/domain/webhooks.ts';
import { useMutation } from '../api/hooks.ts';
import { type EndpointFields, refreshEndpoints, rotateSecret, testEndpoint } from '../api/webhooks.ts';
import { Toggle } from '../parts/choices.tsx';
import { DialogAction, DialogForm, ShowOnce, useProblems } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/field.tsx';
import { useCurrentSession } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

const NEW_ENDPOINT: EndpointFields = { name: '', url: '', event_types: WEBHOOK_EVENT_TYPES };

const isUrl = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text);

/** Only a service started with npm start is on a loopback address, and only it sends events to the same machine. */
const isLoopback = (baseUrl: string): boolean => /^http:\/\/(localhost|127\.0\.0\.1)[:/]/.test(baseUrl);

type FormProps = {
  readonly action: string;
  readonly initial?: EndpointFields;
  readonly save: (fields: EndpointFields) => Promise<unknown>;
  readonly onClose: () => void;
};

type EventsProps = Pick<EndpointFields, 'event_types'> & {
  readonly problem: string | undefined;
  readonly onChange: (types: EndpointFields['event_types']) => void;
};

const Events = ({ event_types, problem, onChange }: EventsProps) => (
  <fieldset class="field" aria-describedby={problem === undefined ? undefined : 'events-problem'}>
    <legend class="label">{texts.webhooks.events}</legend>
    {WEBHOOK_EVENT_TYPES.map((type) => (
      <Toggle
        key={type}
        isOn={event_types.includes(type)}
        onChange={(isOn) =>
          onChange(WEBHOOK_EVENT_TYPES.filter((name) => (name === type ? isOn : event_types.includes(name))))
        }
      >
        <span>
          {SENT_WHEN[type]} <code class="quiet">{type}</code>
        </span>
      </Toggle>
    ))}
    {problem !== undefined && (
      <p id="events-problem" class="wrong">
        {problem}
      </p>
    )}
  </fieldset>
);

export const EndpointForm = ({ action, initial = NEW_ENDPOINT, save, onClose }: FormProps) => {
  const isLocal = isLoopback(useCurrentSession().base_url);
  const [fields, setFields] = useState(initial);
  const trimmed = { ...fields, name: fields.name.trim(), url: fields.url.trim() };
  const saving = useMutation(() => save(trimmed), refreshEndpoints);
  const problems = {
    name: trimmed.name === '' ? texts.form.nameMissing : undefined,
    url: isUrl(trimmed.url) ? undefined : texts.webhooks.urlInvalid,
    events: fields.event_types.length === 0 ? texts.webhooks.eventsMissing : undefined,
  };
  const [shown, submit] = useProblems(problems, saving.mutate);
  return (
    <DialogForm action={action} mutation={saving} onSubmit={submit} onClose={onClose}>
      <TextField
        label={texts.form.name}
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

type Props = { readonly endpoint: EndpointObject; readonly onClose: () => void };

export const TestForm = ({ endpoint, onClose }: Props) => {
  const [type, setType] = useState<string>(endpoint.event_types[0] ?? '');
  const test = useMutation(() => testEndpoint(endpoint.id, type));
  return (
    <DialogAction
      action={texts.actions.send}
      mutation={test}
      onAction={() => void test.mutate()}
      onClose={onClose}
      closeLabel={texts.actions.close}
    >
      <p>{texts.webhooks.testText}</p>
      <SelectField
        label={texts.audit.type}
        value={type}
        options={endpoint.event_types.map((name) => [name, name] as const)}
        onChange={setType}
      />
      <div role="status">
        {test.data !== undefined && (
          <p class="badge badge-completed">{texts.webhooks.testResponse(test.data.status_code)}</p>
        )}
      </div>
    </DialogAction>
  );
};

export type Rotated = { readonly secret: string; readonly keepsOldSecret: boolean };

type RotateProps = Props & { readonly onRotated: (rotated: Rotated) => void };

export const RotateForm = ({ endpoint, onClose, onRotated }: RotateProps) => {
  const [keepsOldSecret, setKeepsOldSecret] = useState(true);
  const rotation = useMutation(
    () => rotateSecret(endpoint.id, keepsOldSecret),
    ({ signing_secret }) => onRotated({ secret: signing_secret, keepsOldSecret }),
  );
  return (
    <DialogAction
      action={texts.webhooks.rotate}
      mutation={rotation}
      onAction={() => void rotation.mutate()}
      onClose={onClose}
    >
      <p>{texts.webhooks.rotateText}</p>
      <Toggle isOn={keepsOldSecret} onChange={setKeepsOldSecret}>
        {texts.webhooks.keepOld}
      </Toggle>
      {!keepsOldSecret && <p class="hint">{texts.webhooks.dropOld}</p>}
    </DialogAction>
  );
};

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
    onClose={onClose}
  >
    {note !== undefined && <p class="hint">{note}</p>}
  </ShowOnce>
);
