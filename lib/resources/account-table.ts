import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { allOf, type Grant, settings } from '../lambda/grant.ts';
import { ServiceTable } from './service-table.ts';

type AccountTableVariables = { readonly ACCOUNT_TABLE: string };

/** The limits of accounts, what they have spent, and what is reserved for unfinished requests: one item each. */
export class AccountTable extends ServiceTable {
  readonly #config: Config;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, config, 'account');
    this.#config = config;
  }

  /** To hold a price and a place, and to give them back. */
  readonly reserve = () => this.#withDefaults('dynamodb:GetItem', 'dynamodb:UpdateItem');
  /** To tell the limits and what is used of them. */
  readonly readLimits = () => this.#withDefaults('dynamodb:GetItem');
  /** To end what is held. */
  readonly settle = () => this.#grant('dynamodb:UpdateItem');
  readonly sweep = () => this.#grant('dynamodb:Scan', 'dynamodb:UpdateItem');

  #withDefaults(...actions: string[]) {
    return allOf(
      this.#grant(...actions),
      settings({ ACCOUNT_LIMITS: this.#defaults(), PRICES: JSON.stringify(this.#config.prices) }),
    );
  }

  #defaults(): string {
    const { accountMonthlyBudget, accountVideosAtOnce, accountCreatesPerMinute } = this.#config;
    return JSON.stringify({
      monthlyBudget: accountMonthlyBudget === '' ? undefined : accountMonthlyBudget,
      videosAtOnce: accountVideosAtOnce === 0 ? undefined : accountVideosAtOnce,
      createsPerMinute: accountCreatesPerMinute === 0 ? undefined : accountCreatesPerMinute,
    });
  }

  #grant(...actions: string[]): Grant<AccountTableVariables> {
    return {
      variables: { ACCOUNT_TABLE: this.table.tableName },
      allow: (grantee) => {
        this.allow(grantee, actions);
      },
    };
  }
}
