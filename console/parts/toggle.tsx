import type { ComponentChildren } from 'preact';

type ToggleProps = {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: ComponentChildren;
};

/** A checkbox with its label beside it. Not part of field.tsx, because the first page has none. */
export const Toggle = ({ isOn, onChange, children }: ToggleProps) => (
  <label class="switch">
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {children}
  </label>
);
