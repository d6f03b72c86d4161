import type { ComponentChildren } from 'preact';

/** Aligned to the end, such as amounts. An empty title is for a column of buttons. */
type Column = string | { readonly title: string; readonly isEnd: true };

type Props = { readonly columns: readonly Column[]; readonly children: ComponentChildren };

/** A table whose rows become cards on a narrow screen; cells name their column in `data-label`. */
export const CardTable = ({ columns, children }: Props) => (
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
