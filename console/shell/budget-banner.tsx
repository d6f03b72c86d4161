import { CircleAlert, X } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { serverNow } from '../api/clock.ts';
import { formatMoney } from '../parts/format.ts';
import { usePreference } from '../parts/storage.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { useCurrentSession } from './session.ts';

/** The UTC month such as `2026-01`, for which the budget counts. */
const month = (): string => new Date(serverNow()).toISOString().slice(0, 7);

/** At 80% of the budget it can be closed until next month; at 100% it stays. */
export const BudgetBanner = () => {
  const { project_id, budget } = useCurrentSession();
  const [closed, close] = usePreference(`budget-notice.${project_id}`);
  if (budget === null || budget.threshold === null) return null;
  const isUsedUp = budget.threshold === 100;
  if (!isUsedUp && closed === month()) return null;
  const currency = budget.currency.toUpperCase();
  const [used, limit] = [formatMoney(budget.used, currency), formatMoney(budget.limit, currency)];
  return (
    <div class={`banner ${isUsedUp ? 'banner-bad' : ''}`} role="status">
      <CircleAlert size={18} aria-hidden />
      <p>
        {isUsedUp ? texts.budget.usedUp(used, limit) : texts.budget.near(used, limit)}{' '}
        <Link href="/usage">{texts.budget.usage}</Link>
      </p>
      {!isUsedUp && (
        <button
          type="button"
          class="icon-button"
          aria-label={texts.actions.dismiss}
          onClick={() => close(month())}
        >
          <X size={16} aria-hidden />
        </button>
      )}
    </div>
  );
};
