import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export type Choice<Value> = {
  readonly value: Value;
  readonly label: ComponentChildren;
  readonly disabled?: boolean;
};

type Props<Value> = {
  readonly legend: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Why some of them cannot be chosen. */
  readonly reason?: string | undefined;
  /** Its labels are long: two columns on a narrow screen. */
  readonly long?: boolean;
};

export const Choices = <Value extends string | number>(props: Props<Value>) => {
  const { legend, choices, value, onChange, reason, long = false } = props;
  const name = useId();
  const reasonId = `${name}-reason`;
  return (
    <fieldset class="field" aria-describedby={reason === undefined ? undefined : reasonId}>
      <legend class="label">{legend}</legend>
      <div class={`choices ${long ? 'choices-long' : ''}`}>
        {choices.map((choice) => (
          <label key={choice.value} class="choice">
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.disabled ?? false}
              onChange={() => onChange(choice.value)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
      {reason !== undefined && (
        <p id={reasonId} class="hint">
          {reason}
        </p>
      )}
    </fieldset>
  );
};
