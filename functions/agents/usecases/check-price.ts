import { invalidField } from '../../platform/domain/errors.ts';
import { isNegative, minus } from '../../platform/domain/money.ts';
import { ToolRefusal } from '../domain/tools.ts';

type Price = { readonly amount: string | null; readonly currency: string | null };

/** Refuses a call that costs more than its caller allows, before anything is created. */
export const requirePrice = (maxPrice: string | undefined, { amount, currency }: Price): void => {
  if (maxPrice === undefined) return;
  if (amount === null)
    throw invalidField(
      'max_price',
      'max_price cannot be checked, because the service has no price for this request: leave it out.',
    );
  if (isNegative(minus(maxPrice, amount)))
    throw new ToolRefusal(
      `This would cost ${amount} ${currency}, more than max_price ${maxPrice}. Nothing was created. Choose a cheaper model, fewer seconds or fewer images, or ask the user to allow more.`,
    );
};
