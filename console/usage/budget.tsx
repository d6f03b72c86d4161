import { isNegative, minus } from '../../functions/platform/domain/money.ts';
import { serverNow } from '../api/clock.ts';
import { useQuery } from '../api/hooks.ts';
import { spendLimit } from '../api/usage.ts';
import { ErrorProblem } from '../parts/feedback.tsx';
import { formatMoney } from '../parts/format.ts';
import { useCurrentSession } from '../shell/session.ts';
import { texts } from '../texts/texts.ts';
import { formatUtcDay, formatUtcMonth } from './spend.ts';

/** The budget of the current UTC month; the totals below it may cover another range. */
export const Budget = () => {
  const { project_id } = useCurrentSession();
  const title = texts.usage.budget(formatUtcMonth(serverNow() / 1000));
  const { data: limit, error, refetch } = useQuery(spendLimit, project_id);
  if (error !== null) return <ErrorProblem error={error} retry={refetch} />;
  if (limit === undefined) return <section class="card budget" aria-busy="true" />;
  if (limit === null)
    return (
      <section class="card budget">
        <h2>{title}</h2>
        <p class="quiet">{texts.usage.noBudget}</p>
      </section>
    );
  const currency = limit.currency.toUpperCase();
  const left = minus(limit.budget, limit.used);
  const isUsedUp = isNegative(left) || Number(left) === 0;
  return (
    <section class="card budget" aria-labelledby="budget">
      <div class="row spread">
        <h2 id="budget">{title}</h2>
        <p class="quiet small">{texts.usage.resets(formatUtcDay(limit.resets_at))}</p>
      </div>
      <progress
        class={`budget-bar ${isUsedUp ? 'budget-over' : ''}`}
        max={Math.max(Number(limit.budget), Number.MIN_VALUE)}
        value={Math.min(Number(limit.used), Number(limit.budget))}
        aria-labelledby="budget"
      />
      <div class="row spread">
        <p class="number">
          {texts.usage.used(formatMoney(limit.used, currency), formatMoney(limit.budget, currency))}
        </p>
        <p class={`number ${isUsedUp ? 'wrong' : 'quiet'}`}>
          {isUsedUp ? texts.usage.usedUp : texts.usage.left(formatMoney(left, currency))}
        </p>
      </div>
    </section>
  );
};
