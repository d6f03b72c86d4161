import type { ComponentChildren, ComponentProps } from 'preact';
import { useId } from 'preact/hooks';

type Control = {
  readonly id: string;
  readonly class: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
};

type LabelProps = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
};

type Props = LabelProps & { readonly children: (control: Control) => ComponentChildren };

export const Field = ({ label, hint, problem, children }: Props) => {
  const id = useId();
  const below = problem ?? hint;
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {children({
        id,
        class: 'input',
        'aria-describedby': below === undefined ? undefined : `${id}-below`,
        'aria-invalid': problem === undefined ? undefined : 'true',
      })}
      {below !== undefined && (
        <p id={`${id}-below`} class={problem === undefined ? 'hint' : 'wrong'}>
          {below}
        </p>
      )}
    </div>
  );
};

type ValueProps = LabelProps & {
  readonly value: string;
  readonly onChange: (value: string) => void;
};

type InputProps = ValueProps &
  Pick<
    ComponentProps<'input'>,
    'autoComplete' | 'dir' | 'disabled' | 'inputMode' | 'maxLength' | 'placeholder' | 'type'
  > & {
    /** The key `/` focuses it. */
    readonly 'data-search'?: boolean;
  };

export const TextField = ({ label, hint, problem, onChange, ...input }: InputProps) => (
  <Field label={label} hint={hint} problem={problem}>
    {(control) => (
      <input {...control} {...input} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    )}
  </Field>
);

export type SelectOptions = readonly (readonly [value: string, label: string])[];

type SelectProps = ValueProps & { readonly options: SelectOptions };

export const SelectField = ({ label, hint, problem, value, options, onChange }: SelectProps) => (
  <Field label={label} hint={hint} problem={problem}>
    {(control) => (
      <select {...control} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

type AreaProps = ValueProps & Pick<ComponentProps<'textarea'>, 'class' | 'dir' | 'rows' | 'spellcheck'>;

export const TextArea = ({ label, hint, problem, onChange, ...area }: AreaProps) => (
  <Field label={label} hint={hint} problem={problem}>
    {(control) => (
      <textarea {...control} {...area} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    )}
  </Field>
);
