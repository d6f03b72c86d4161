import type { LucideIcon } from 'lucide-preact';
import type { ComponentProps } from 'preact';

type Props = Omit<ComponentProps<'button'>, 'class' | 'icon' | 'size'> & {
  /** A class of its own, such as that of a destructive action. */
  readonly kind?: string | undefined;
};

export type ButtonProps = Props & {
  /** Before the label. */
  readonly icon?: LucideIcon | undefined;
  readonly iconSize?: number | undefined;
  readonly isSmall?: boolean | undefined;
};

export const Button = ({
  icon: Icon,
  iconSize,
  isSmall = false,
  kind = '',
  children,
  ...props
}: ButtonProps) => (
  <button type="button" class={`button ${isSmall ? 'button-small' : ''} ${kind}`} {...props}>
    {Icon !== undefined && <Icon size={iconSize ?? (isSmall ? 15 : 16)} aria-hidden />}
    {children}
  </button>
);

export const SmallButton = (props: ButtonProps) => <Button {...props} isSmall />;

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
