import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

/** Aligned to the end, such as amounts. An empty title is for a column of buttons. */
type Column = string | { readonly title: string; readonly isEnd: true };

type TableProps = { readonly columns: readonly Column[]; readonly children: ComponentChildren };

/** A table whose rows become cards on a narrow screen; cells name their column in `data-label`. */
export const CardTable = ({ columns, children }: TableProps) => (
  <div class="card table-card">
    <table class="table table-cards">
      <thead>
        <tr>
          {columns.map((column) => {
            if (column === '') return <td key={column} />;
            const title = typeof column === 'string' ? column : column.title;
            return (
              <th key={title} scope="col" class={typeof column === 'string' ? undefined : 'cell-end'}>
                {title}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

export type Pair = readonly [name: string, value: ComponentChildren];

/** Names and values, such as the parameters of a task. */
export const Pairs = ({ pairs }: { readonly pairs: readonly Pair[] }) => (
  <dl class="pairs">
    {pairs.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd class="number" dir="auto">
          {value}
        </dd>
      </div>
    ))}
  </dl>
);

type MoreProps = { readonly isBusy: boolean; readonly onMore: () => void; readonly label?: string };

/** Loads the next page when the end of the list scrolls into view, or when the button is pressed. */
export const LoadMore = ({ isBusy, onMore, label = texts.library.loadMore }: MoreProps) => {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (button.current === null || isBusy) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { rootMargin: '600px' },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [isBusy, onMore]);
  return (
    <button ref={button} type="button" class="button" disabled={isBusy} onClick={onMore}>
      {isBusy ? texts.states.loading : label}
    </button>
  );
};
