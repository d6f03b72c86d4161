import { useState } from 'preact/hooks';
import { formatMegabytes } from '../../functions/platform/domain/text.ts';
import { useMutation } from '../api/hooks.ts';
import { setConnected } from '../api/request.ts';
import { PREFIX } from '../environment.ts';
import { Button } from '../parts/buttons.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { ActionError } from '../parts/feedback.tsx';
import { TextArea, TextField } from '../parts/field.tsx';
import { formatNumber } from '../parts/format.ts';
import { texts } from '../texts/texts.ts';

const MAX_SHOWN = 20_000;

type Input = { readonly name: string; readonly in: string; readonly required?: boolean };

type Props = {
  readonly method: string;
  readonly path: string;
  /** Distinguishes the responses of several operations. */
  readonly name: string;
  readonly parameters: readonly Input[];
  /** A sample of the JSON body; undefined without a body. */
  readonly sample: string | undefined;
};

type Values = Readonly<Record<string, string>>;

const toUrl = (path: string, parameters: readonly Input[], values: Values): string => {
  const filled = path.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const query = parameters.filter(({ in: place, name }) => place === 'query' && (values[name] ?? '') !== '');
  const search = new URLSearchParams(query.map(({ name }) => [name, values[name] ?? '']));
  return search.size === 0 ? filled : `${filled}?${search}`;
};

/** JSON is indented; other types are named with their size. */
const readBody = async (response: Response): Promise<string> => {
  const type = response.headers.get('content-type') ?? '';
  if (!/json|text/.test(type)) return texts.docs.binary(type, formatMegabytes((await response.blob()).size));
  const text = await response.text();
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON after all, such as CSV.
    return text;
  }
};

export const TryIt = ({ method, path, name, parameters, sample }: Props) => {
  const [values, setValues] = useState<Values>({});
  const [body, setBody] = useState(sample ?? '');
  const { mutate, isPending, error, data } = useMutation(async () => {
    const started = performance.now();
    const response = await fetch(`${PREFIX}${toUrl(path, parameters, values)}`, {
      method: method.toUpperCase(),
      credentials: 'same-origin',
      ...(sample === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
    });
    setConnected(true);
    return {
      status: response.status,
      milliseconds: Math.round(performance.now() - started),
      text: (await readBody(response)).slice(0, MAX_SHOWN),
    };
  });
  return (
    <form
      class="stack stack-tight try-it box"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void mutate();
      }}
    >
      <p class="hint">{texts.docs.tryNote}</p>
      {parameters.map(({ name: parameter, required = false }) => (
        <TextField
          key={parameter}
          label={required ? `${parameter} (${texts.docs.required})` : parameter}
          autoComplete="off"
          value={values[parameter] ?? ''}
          onChange={(value) => setValues({ ...values, [parameter]: value })}
        />
      ))}
      {sample !== undefined && (
        <TextArea
          label={texts.docs.tryBody}
          class="input try-body"
          rows={8}
          spellcheck={false}
          value={body}
          onChange={setBody}
        />
      )}
      <ActionError error={error} />
      <div>
        <Button type="submit" disabled={isPending}>
          {isPending ? texts.video.sending : texts.actions.send}
        </Button>
      </div>
      {data !== undefined && (
        <div role="status" class="stack stack-tight">
          <p class="number">{texts.docs.answered(String(data.status), formatNumber(data.milliseconds))}</p>
          <CodeBlock code={data.text} label={texts.docs.response(name)} />
        </div>
      )}
    </form>
  );
};
