import type { LucideIcon } from 'lucide-preact';
import type { ComponentProps } from 'preact';

type Props = Omit<ComponentProps<'button'>, 'class' | 'icon' | 'size' | 'type'> & {
  /** A class of its own, such as that of a destructive action. */
  readonly kind?: string;
};

export const SmallButton = ({ kind = '', ...props }: Props) => (
  <button type="button" class={`button button-small ${kind}`} {...props} />
);

type IconProps = Props & {
  readonly icon: LucideIcon;
  readonly size?: number;
  /** The icon says nothing to a screen reader. */
  readonly 'aria-label': string;
};

export const IconButton = ({ icon: Icon, size = 16, kind = '', ...props }: IconProps) => (
  <button type="button" class={`icon-button ${kind}`} {...props}>
    <Icon size={size} aria-hidden />
  </button>
);
