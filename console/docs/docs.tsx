import { useLocation, useSearch } from 'wouter-preact';
import { Tabs } from '../parts/choices.tsx';
import { formatMoney, formatNumber } from '../parts/format.ts';
import { CardTable, Pairs } from '../parts/lists.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { useCurrentSession } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { ERROR_ROWS, limitRows } from './explanations.ts';
import { Quickstart } from './quickstart.tsx';
import { Reference } from './reference.tsx';

const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));

const limitText = (limit: number | null): string =>
  limit === null ? texts.docs.noLimit : formatNumber(limit);

const Limits = () => {
  const { video_retention_days, image_bytes, limits, prices } = useCurrentSession();
  const { monthly_budget, videos_at_once, creates_per_minute } = limits;
  const rows = [
    ...limitRows(formatNumber, image_bytes),
    [texts.docs.retention, texts.docs.retentionDays(formatNumber(video_retention_days))] as const,
    [
      texts.docs.budget,
      monthly_budget === null ? texts.docs.noLimit : formatMoney(monthly_budget, prices.currency),
    ] as const,
    [texts.docs.videosAtOnce, limitText(videos_at_once)] as const,
    [texts.docs.createsPerMinute, limitText(creates_per_minute)] as const,
  ];
  return (
    <section class="card">
      <Pairs pairs={rows.map(([name, limit]) => [name.replaceAll('`', ''), withCode(limit)] as const)} />
    </section>
  );
};

const Errors = () => (
  <CardTable
    rows={ERROR_ROWS}
    rowKey={({ meaning }) => meaning}
    columns={[
      {
        title: texts.errors.code,
        cell: ({ codes }) => (
          <span class="error-codes">
            {codes.map((code) => (
              <code key={code}>{code}</code>
            ))}
          </span>
        ),
      },
      { title: texts.docs.http, cell: ({ http }) => http, style: 'number' },
      { title: texts.docs.meaning, cell: ({ meaning }) => <span>{withCode(meaning)}</span> },
      { title: texts.task.whatToDo, cell: ({ remedy }) => <span>{withCode(remedy)}</span> },
    ]}
  />
);

const PARTS = {
  quickstart: <Quickstart />,
  reference: <Reference />,
  limits: <Limits />,
  errors: <Errors />,
} as const;
const NAMES = ['quickstart', 'reference', 'limits', 'errors'] as const satisfies (keyof typeof PARTS)[];

export const Docs = () => {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  return (
    <>
      <PageTitle title={texts.navigation.docs} description={texts.docs.description} />
      <Tabs
        label={texts.navigation.docs}
        chosen={NAMES.find((name) => name === search.get('part')) ?? 'quickstart'}
        onChoose={(name) => navigate(`/docs?part=${name}`)}
        tabs={NAMES.map((name) => ({ name, label: texts.docs[name], content: PARTS[name] }))}
      />
    </>
  );
};
