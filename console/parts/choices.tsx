import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

type Choice<Value> = { readonly value: Value; readonly label: ComponentChildren };

type Props<Value> = {
  readonly legend: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly disabled?: readonly Value[] | undefined;
  /** Why some choices are disabled. */
  readonly reason?: string | undefined;
  /** Long labels take two columns on a narrow screen. */
  readonly long?: boolean;
  /** Of small choices whose legend only screen readers need. */
  readonly compact?: string;
};

export const Choices = <Value extends string | number>(props: Props<Value>) => {
  const { legend, choices, value, onChange, disabled = [], reason, long = false, compact } = props;
  const name = useId();
  const reasonId = `${name}-reason`;
  return (
    <fieldset class={compact ?? 'field'} aria-describedby={reason === undefined ? undefined : reasonId}>
      <legend class={compact === undefined ? 'label' : 'visually-hidden'}>{legend}</legend>
      <div class={`choices ${long ? 'choices-long' : ''}`}>
        {choices.map((choice) => (
          <label key={choice.value} class="choice">
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              disabled={disabled.includes(choice.value)}
              onChange={() => onChange(choice.value)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
      {reason !== undefined && (
        <p id={reasonId} class={disabled.includes(value) ? 'wrong' : 'hint'}>
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

type RatioProps<Ratio> = Omit<Props<Ratio>, 'choices' | 'long'> & {
  readonly ratios: readonly Ratio[];
  readonly names?: Readonly<Partial<Record<string, string>>>;
};

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

type ToggleProps = {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ComponentChildren;
};

/** A checkbox with its label beside it. */
export const Toggle = ({ isOn, onChange, children }: ToggleProps) => (
  <label class="line switch">
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {children}
  </label>
);

type Tab<Name> = { readonly name: Name; readonly label: string; readonly content: ComponentChildren };

type TabsProps<Name> = {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
};

const TAB_STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** One tab stop; the arrow keys move between the tabs. */
export const Tabs = <Name extends string>({ label, tabs, chosen, onChoose }: TabsProps<Name>) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const index = tabs.findIndex(({ name }) => name === chosen);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = TAB_STEPS[event.key];
    const next = step === undefined ? undefined : tabs.at((index + step) % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <div class="stack">
      <div ref={list} class="tabs" role="tablist" aria-label={label}>
        {tabs.map(({ name, label: text }, position) => (
          <button
            key={name}
            type="button"
            role="tab"
            class="tab"
            id={`${id}-${position}`}
            data-tab={name}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
            onKeyDown={onKeyDown}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${index}`}>
        {tabs[index]?.content}
      </div>
    </div>
  );
};
