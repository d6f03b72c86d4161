import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type Control = {
  readonly id: string;
  readonly class: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
};

type Props = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly children: (control: Control) => ComponentChildren;
};

/** A control with a label above, and a problem or a hint below. */
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
