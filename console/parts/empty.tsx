import type { ComponentChildren } from 'preact';

type Props = { readonly title: string; readonly text: string; readonly children?: ComponentChildren };

/** Nothing is there yet: what would be, and how to get it. */
export const Empty = ({ title, text, children }: Props) => (
  <section class="empty">
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </section>
);
