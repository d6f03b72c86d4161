import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ArrowLeft } from '../page-icons.mjs';
import { texts } from '../texts/texts.ts';
import { formatAge, formatTime } from './format.ts';

type Column<Row> = {
  /** Empty for a column of buttons. */
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Of the cells; `cell-end` aligns their title, too. */
  readonly style?: string;
};

type TableProps<Row> = {
  /** The first one has the names of the rows. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  readonly rows: readonly Row[];
  /** The id of the row if it is not given. */
  readonly rowKey?: (row: Row) => string;
  readonly rowStyle?: (row: Row) => string;
};

const rowId = (row: unknown): string => String(Object(row).id);

/** A table whose rows become cards on a narrow screen, where each cell names its column. */
export const CardTable = <Row,>({ columns, rows, rowKey = rowId, rowStyle = () => '' }: TableProps<Row>) => {
  const [{ cell: name, style: nameStyle }, ...others] = columns;
  return (
    <div class="card table-card">
      <table class="table table-cards">
        <thead>
          <tr>
            {columns.map(({ title, style = '' }) =>
              title === '' ? (
                <td key={title} />
              ) : (
                <th key={title} scope="col" class={style.includes('cell-end') ? 'cell-end' : undefined}>
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} class={rowStyle(row)}>
              <th scope="row" class={nameStyle} dir="auto">
                {name(row)}
              </th>
              {others.map(({ title, cell, style }) => (
                <td key={title} class={style} data-label={title || undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

type AgeProps = { readonly at: number; readonly now: number; readonly style?: string };

export const Age = ({ at, now, style }: AgeProps) => (
  <time class={style} dateTime={new Date(at * 1000).toISOString()} title={formatTime(at)}>
    {formatAge(at, now)}
  </time>
);

export type Pair = readonly [name: string, value: ComponentChildren];

/** Leaves out pairs without a value. */
export const Pairs = ({ pairs }: { readonly pairs: readonly Pair[] }) => (
  <dl class="pairs stack stack-tight">
    {pairs
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number" dir="auto">
            {value}
          </dd>
        </div>
      ))}
  </dl>
);

type MoreProps = {
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly loadMore: () => unknown;
  readonly label?: string;
};

/** Loads the next page when the end of the list scrolls into view, or when the button is pressed. */
export const LoadMore = ({ hasMore, isLoadingMore, loadMore, label = texts.library.loadMore }: MoreProps) => {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (button.current === null || isLoadingMore) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) loadMore();
      },
      { rootMargin: '600px' },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [hasMore, isLoadingMore, loadMore]);
  if (!hasMore) return null;
  return (
    <button ref={button} type="button" class="button" disabled={isLoadingMore} onClick={() => loadMore()}>
      {isLoadingMore ? texts.states.loading : label}
    </button>
  );
};

type BackProps = Pick<ComponentProps<'a'>, 'onClick'> & { readonly href: string; readonly children: string };

/** From a detail to its list. */
export const BackLink = ({ children, ...link }: BackProps) => (
  <Link {...link} class="row back-link">
    <ArrowLeft size={16} aria-hidden />
    {children}
  </Link>
);
