import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type Choice<Value> = {
  readonly value: Value;
  readonly label: ComponentChildren;
  readonly disabled?: boolean;
};

type Props<Value> = {
  readonly legend: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Why some choices are disabled. */
  readonly reason?: string | undefined;
  /** Long labels take two columns on a narrow screen. */
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

const SHAPE_SIZE = 22;

const RatioShape = ({ ratio }: { readonly ratio: string }) => {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const scale = SHAPE_SIZE / Math.max(across, down);
  const width = Math.max(4, across * scale);
  const height = Math.max(4, down * scale);
  return (
    <svg class="ratio" viewBox="0 0 24 24" aria-hidden="true">
      <rect x={12 - width / 2} y={12 - height / 2} width={width} height={height} rx="1.5" />
    </svg>
  );
};

type RatioProps<Ratio> = Pick<Props<Ratio>, 'legend' | 'value' | 'onChange'> & {
  readonly ratios: readonly Ratio[];
  readonly names?: Readonly<Partial<Record<string, string>>>;
};

/** Aspect ratios, each drawn as a rectangle of that shape. */
export const RatioChoices = <Ratio extends string>({ ratios, names = {}, ...choices }: RatioProps<Ratio>) => (
  <Choices
    {...choices}
    choices={ratios.map((ratio) => ({
      value: ratio,
      label: (
        <>
          <RatioShape ratio={ratio} />
          {names[ratio]} {ratio}
        </>
      ),
    }))}
  />
);
