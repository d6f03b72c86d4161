import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { allOf, type Grant, settings } from '../lambda/grant.ts';
import type { ReservationTable } from './reservation-table.ts';
import { ServiceTable } from './service-table.ts';

type AccountTableVariables = { readonly ACCOUNT_TABLE: string };

/** The limits of accounts and what they have spent; beside them what keys with a budget have spent. */
export class AccountTable extends ServiceTable {
  readonly #config: Config;
  readonly #reservations: ReservationTable;

  constructor(scope: Construct, id: string, config: Config, reservations: ReservationTable) {
    super(scope, id, config, 'account');
    this.#config = config;
    this.#reservations = reservations;
  }

  /** To hold a price and a place, and to give them back. */
  readonly reserve = () =>
    allOf(this.#withDefaults('dynamodb:GetItem', 'dynamodb:UpdateItem'), this.#reservations.hold());
  /** To tell the limits and what is used of them. */
  readonly readLimits = () => this.#withDefaults('dynamodb:GetItem');
  /** To end what is held, and to count what is charged. */
  readonly settle = () => allOf(this.#grant('dynamodb:UpdateItem'), this.#reservations.end());
  /** To end what nobody needs. */
  readonly sweep = () => allOf(this.#grant('dynamodb:UpdateItem'), this.#reservations.sweep());

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
